// The effect of SIGINT, SIGTERM and SIGHUP on the command line.
//
//     while nothing runs     the program ends at once, by that signal
//     while a scenario runs  the first signal asks for the end of the run; a second one ends the
//                            program at once
//
// One Ctrl-C reaches the program several times: from the terminal, and again through npm and
// similar tools. So signals within half a second of the first count as one. A signal that was
// ignored when the program started stays ignored (nohup).
#pragma once

#include <string>

namespace latchscope::cli::signals {

// Installs the handlers. From then on, a write to a broken pipe, or beyond the file size limit, is
// an ordinary error.
//
// REQUIRES: nothing else has run yet; called once.
void take_over();
// Ends the program as if by SIGTERM when its parent process ends.
void end_with_parent(int parent);

// Call it when a scenario starts to run.
void run_begins();
// Returns the signal that asked to end the run, such as "SIGINT", or null.
const char* run_is_to_end();

// Sets the file to remove if the program is ended at once; "": none.
void remove_at_end(const std::string& path);

}  // namespace latchscope::cli::signals
