# Hands the bot's mail to perfpost-receive.  When that fails the mail stays in
# the inbox (Pigeonhole keeps what an action that failed was for).
require ["vnd.dovecot.pipe", "regex"];

if address :regex ["to", "cc"] "^perfbot(\\+[a-z0-9]+)?@" {
	pipe "perfpost-receive";
}
