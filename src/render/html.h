#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include <stddef.h>

#include "report/report.h"

struct buf;
struct err;

/*
 * A report as one page for a browser, which loads nothing from elsewhere: the
 * mail as it will be sent, the findings, the plots with every run's value, and
 * the whole table by monitor.  It can be read without script; with it, the
 * table can be filtered.  Names are made inert and escaped.
 *
 * Template set "html", template "page", sees: title, kicker, headline {name,
 * full, class, judged, base, head, unit, direction}, commits [{role, name,
 * subject}], mail {headers [{name, value}], body, attachments [{name, type,
 * size, text}]} or null, findings [{n, text, has_rows, rows [{id, name}],
 * more}], plots [{name, svg, sides [{side, runs [{number, value, failed}]}]}],
 * plot_style, rows (a count), groups [{title, axes, sides, left_out,
 * monitors [{name, count, rows}]}] (html-table.c).
 */
struct html_header {
	const char *name, *value;
};

struct html_attachment {
	const char *name, *type;
	const char *text;	/* may hold anything */
	size_t size;
};

struct html_mail {
	const struct html_header *header;
	size_t nheader;
	const char *body;
	const struct html_attachment *attachment;
	size_t nattachment;
};

/* Append the page; "mail" may be NULL.  Returns 0, or -1 with "err": a
 * template is missing or broken. */
int html_page(struct buf *out, const struct report *r,
	      const struct html_mail *mail, struct err *err);

#endif
