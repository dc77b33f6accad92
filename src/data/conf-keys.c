#include "data/conf.h"

#define KEY(path, type, fallback, meaning) \
	{ path, type, fallback, meaning, NULL }
#define CHOICE(path, choices, fallback, meaning) \
	{ path, CONF_TEXT, fallback, meaning, choices }

/* Every key that there is, by path.  doc/perfpost.conf.5 explains each; a test
 * compares the two. */
const struct conf_key conf_keys[] = {
	KEY("archive.url", CONF_TEXT, NULL,
	  "where the report's files can be fetched; %s: date and Message-ID"),
	KEY("disclaimer", CONF_TEXT,
	  "Results have been estimated based on internal analysis and are "
	  "provided\nfor informational purposes only. Any difference in "
	  "system hardware or software\ndesign or configuration may affect "
	  "actual performance.",
	  "what the report says of its own worth"),
	KEY("footer", CONF_TEXT, NULL,
	  "lines behind the signature mark of each mail"),
	KEY("lists", CONF_LIST, NULL,
	  "addresses that get a copy of every public report"),
	KEY("operator.address", CONF_TEXT, NULL,
	  "the address that reports come from and answers go to"),
	KEY("operator.name", CONF_TEXT, "kernel test robot",
	  "the name beside it"),
	KEY("robot.names", CONF_LIST, NULL,
	  "how people call the robot when they ask it something"),
	KEY("robot.prefix", CONF_TEXT, "#perfpost",
	  "what a line with a command for the robot begins with"),
	KEY("sign_off", CONF_TEXT, NULL,
	  "the last lines of a report's text: \"Thanks,\" and a name"),
	KEY("templates", CONF_TEXT, NULL,
	  "a folder with template sets of your own"),
	KEY(NULL, CONF_TEXT, NULL, NULL),
};
