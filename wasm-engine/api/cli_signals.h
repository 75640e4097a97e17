// The effect of SIGINT, SIGTERM and SIGHUP on the command line.
//
//   while nothing runs     the program ends at once, by that signal
//   while a scenario runs  the first one only asks for the end of the run; a second one ends the program at once
//
// One Ctrl-C reaches the program several times: from the terminal, and again through npm and similar tools.
// So signals within half a second of the first count as one. A signal that was ignored when the program
// started stays ignored (nohup).
#pragma once

#include <string>

namespace latchscope::api::signals {

// Call it once, before anything else. From then on, writing to a broken pipe, or beyond the file size limit,
// is an ordinary error.
void take_over();
// Ends the program as if by SIGTERM when its parent process is gone.
void end_with_parent(int parent);

// Call it when a scenario starts to run.
void run_begins();
// The signal that asked to end the run, such as "SIGINT", or null.
const char* run_is_to_end();

// A file to remove if the program is ended at once; "": none.
void remove_at_end(const std::string& path);

}  // namespace latchscope::api::signals
