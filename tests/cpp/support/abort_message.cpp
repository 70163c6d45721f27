#include "support/abort_message.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace conv2d::test {

std::optional<std::string> abort_message(const std::function<void()>& act) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // Catch2 would report a failure
    dup2(ends[1], STDERR_FILENO);
    act();
    _exit(0);
  }
  close(ends[1]);
  std::string words;
  char piece[512];
  for (ssize_t got = 0; (got = read(ends[0], piece, sizeof piece)) > 0;) words.append(piece, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("the process was lost");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) return words;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  throw std::runtime_error("the process ended otherwise: " + words);
}

Failure precondition_failure([[maybe_unused]] const std::string& words, const std::function<void()>& act) {
  const std::optional<std::string> message = abort_message(act);
#if defined(CONV2D_DCHECKS)
  if (!message) return "did not abort";
  const bool right = message->find("precondition does not hold: " + words) != std::string::npos;
  return right ? Failure() : "expected \"" + words + "\", but it printed \"" + *message + "\"";
#else
  return message ? Failure("must not check preconditions, but printed \"" + *message + "\"") : Failure();
#endif
}

}  // namespace conv2d::test

#endif
