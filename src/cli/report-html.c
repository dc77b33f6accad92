#include "cli/report-html.h"

#include "base/buf.h"
#include "base/err.h"
#include "cli/options-report.h"
#include "compose/attach.h"
#include "mail/message.h"
#include "render/html.h"

enum { MAIL_BYTES = 1 << 28, HEADERS_MAX = 64 };

struct page {
	struct html_header header[HEADERS_MAX];
	struct html_attachment attachment[8];
	struct html_mail mail;
	struct attachments files;
	struct message message;
	struct buf subject, text;
};

static void add_header(struct page *p, const char *name, const char *value)
{
	if (p->mail.nheader < HEADERS_MAX)
		p->header[p->mail.nheader++] =
			(struct html_header){ name, value };
}

/* What is sent: read back from the mail itself, so that it is the truth. */
static int take_mail(struct page *p, const struct buf *eml, struct err *err)
{
	if (message_read(&p->message, eml->s, eml->len, err) == -1)
		return -1;
	if (!p->message.to.n && !p->message.cc.n)
		add_header(p, "Not ready to send", "a mail without recipients");
	for (size_t i = 0; i < p->message.nheader; i++)
		add_header(p, p->message.header[i].name,
			   p->message.header[i].value);
	p->mail.body = p->message.body;
	return 0;
}

/* A developer's own machine knows no recipients: the text is there anyway. */
static int take_draft(struct page *p, struct report_input *in,
		      const char *why, struct err *err)
{
	if (report_subject(in, &p->subject, err) == -1 ||
	    report_text(in, &p->text, err) == -1)
		return -1;
	add_header(p, "Not ready to send", why);
	add_header(p, "Subject", p->subject.s);
	p->mail.body = p->text.s;
	return 0;
}

static void take_attachments(struct page *p, const struct report_input *in)
{
	attachments_make(&p->files, &in->report, in->text_options.ascii);
	for (size_t i = 0; i < p->files.n; i++) {
		const struct attachment *a = &p->files.v[i];

		p->attachment[p->mail.nattachment++] = (struct html_attachment){
			a->name, a->type, a->data, a->len };
	}
}

static int make_page(struct page *p, struct report_input *in, struct buf *out,
		     struct err *err)
{
	struct buf eml = BUF_INIT(MAIL_BYTES);
	struct err why = ERR_INIT;
	int rc;

	if (report_mail(in, &eml, &why) == 0)
		rc = take_mail(p, &eml, err);
	else
		rc = take_draft(p, in, why.text, err);
	buf_release(&eml);
	if (rc == -1)
		return -1;
	take_attachments(p, in);
	p->mail.header = p->header;
	p->mail.attachment = p->attachment;
	return html_page(out, &in->report, &p->mail, err);
}

int report_html(struct report_input *in, struct buf *out, struct err *err)
{
	struct page p = { .files = ATTACHMENTS_INIT,
			  .message = { .arena = ARENA_INIT },
			  .subject = BUF_INIT(1 << 20),
			  .text = BUF_INIT(MAIL_BYTES) };
	int rc = make_page(&p, in, out, err);

	attachments_release(&p.files);
	message_release(&p.message);
	buf_release(&p.subject);
	buf_release(&p.text);
	return rc;
}
