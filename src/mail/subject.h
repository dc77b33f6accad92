#ifndef MAIL_SUBJECT_H
#define MAIL_SUBJECT_H

/*
 * A subject without what mailers put before it when people answer or forward:
 * "Re:", "AW: Re[2]:", "SV:", "Fwd:", in whatever order and language.  What
 * remains begins inside of "subject".
 */
const char *subject_base(const char *subject);

#endif
