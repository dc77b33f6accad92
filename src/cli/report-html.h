#ifndef CLI_REPORT_HTML_H
#define CLI_REPORT_HTML_H

struct buf;
struct err;
struct report_input;

/*
 * Append the report as a page for a browser: with the mail that would be
 * sent, or, where it cannot be yet, why not.  Returns 0, or -1 with "err".
 */
int report_html(struct report_input *in, struct buf *out, struct err *err);

#endif
