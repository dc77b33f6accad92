#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

/* One a file: cmd-NAME.c.  See struct command. */

int cmd_answer(int argc, char **argv);
int cmd_bot(int argc, char **argv);
int cmd_check_config(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_outbox(int argc, char **argv);
int cmd_parse(int argc, char **argv);
int cmd_thread(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_preview(int argc, char **argv);
int cmd_queue(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_reports(int argc, char **argv);
int cmd_send(int argc, char **argv);
int cmd_receive(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_why(int argc, char **argv);

#endif
