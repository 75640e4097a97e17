// What SIGINT, SIGTERM and SIGHUP do to the command line.
//
//   while nothing runs     the program ends at once, by that signal
//   while a scenario runs  the first one only asks for the end of the run; a second one ends the program at once
//
// One Ctrl-C reaches the program several times: by the terminal, and again through npm and its like. So signals within half
// a second of the first count as one. A signal that was ignored when the program was started stays ignored (nohup).
#pragma once

#include <string>

namespace latchscope::api::signals {

// To be called once, first of all. Then writing to a pipe that nobody reads, or beyond the limit of a file's size, is an
// error like any other.
void take_over();
// Ends as if by SIGTERM when this process is gone, which has started the program.
void end_with_parent(int parent);

// From now on a scenario runs.
void run_begins();
// The signal that has asked for the end of the run, such as "SIGINT", or null.
const char* run_is_to_end();

// This file is removed if the program is ended at once; "": none.
void remove_at_end(const std::string& path);

}  // namespace latchscope::api::signals
