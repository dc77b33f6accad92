#include "store/sql-int.h"

#include "base/buf.h"
#include "base/err.h"

/*
 * The schema, as the steps that lead to it: step n brings version n to n + 1.
 * A step that was released is never edited; a change is a new one.
 *
 * What makes an effect happen once stands here as unique keys: a delivery
 * (mail.hash), a mail that is acted upon (mail_once), a request in it
 * (request_once), a measurement (job_once), a mail of ours
 * (outbox.message_id, a function of kind, report, revision and request).
 */
static const char *const step[] = {
	/* 0 -> 1 */
	"PRAGMA application_id = 1885696614;"

	"CREATE TABLE report ("
	"  id INTEGER PRIMARY KEY,"
	"  key TEXT NOT NULL UNIQUE,"	/* commits, axes, headline: hex */
	"  token TEXT NOT NULL UNIQUE,"	/* of our address: perfbot+TOKEN@ */
	"  revision INTEGER NOT NULL DEFAULT 1,"
	"  facts_hash TEXT NOT NULL DEFAULT '',"
	"  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open',"
	"    'acknowledged', 'fixed', 'invalid', 'dup', 'expected', 'disputed',"
	"    'stopped')),"
	"  state_note TEXT NOT NULL DEFAULT '',"
	"  state_by TEXT NOT NULL DEFAULT '',"
	"  message_id TEXT NOT NULL DEFAULT '',"
	"  subject TEXT NOT NULL DEFAULT '',"
	"  tested TEXT NOT NULL DEFAULT '',"	/* the commit reported */
	"  title TEXT NOT NULL DEFAULT '',"
	"  base TEXT NOT NULL DEFAULT '',"
	"  stat TEXT NOT NULL DEFAULT '',"
	"  tree TEXT NOT NULL DEFAULT '',"
	"  branch TEXT NOT NULL DEFAULT '',"
	"  machine TEXT NOT NULL DEFAULT '',"
	"  facts TEXT NOT NULL DEFAULT '{}',"	/* JSON: people, test, axes */
	"  results TEXT NOT NULL DEFAULT '[]',"	/* JSON: paths measured */
	"  public INTEGER NOT NULL DEFAULT 0,"
	"  parent INTEGER REFERENCES report,"
	"  created INTEGER NOT NULL,"
	"  changed INTEGER NOT NULL) STRICT;"
	"CREATE INDEX report_subject ON report(subject);"
	"CREATE INDEX report_tested ON report(tested);"

	"CREATE TABLE mail ("
	"  id INTEGER PRIMARY KEY,"
	"  hash TEXT NOT NULL UNIQUE,"		/* SHA-256 of its bytes */
	"  message_id TEXT NOT NULL DEFAULT '',"
	"  content TEXT NOT NULL DEFAULT '',"	/* hash of the author's words */
	"  source TEXT NOT NULL,"
	"  sender TEXT NOT NULL DEFAULT '',"
	"  subject TEXT NOT NULL DEFAULT '',"
	"  received INTEGER NOT NULL,"
	"  state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'decided',"
	"    'duplicate', 'quarantined')),"
	"  tries INTEGER NOT NULL DEFAULT 0,"
	"  due INTEGER NOT NULL DEFAULT 0,"
	"  report INTEGER REFERENCES report,"
	"  decision TEXT NOT NULL DEFAULT '',"
	"  reason TEXT NOT NULL DEFAULT '',"
	"  evidence TEXT NOT NULL DEFAULT '{}',"
	"  archived_at TEXT NOT NULL DEFAULT '',"
	"  bytes BLOB NOT NULL) STRICT;"
	"CREATE INDEX mail_message_id ON mail(message_id);"
	"CREATE INDEX mail_sender ON mail(sender);"
	"CREATE INDEX mail_new ON mail(due, id) WHERE state = 'new';"
	"CREATE UNIQUE INDEX mail_once ON mail(message_id, content)"
	"  WHERE state = 'decided';"

	/* Which message belongs to which report; "ours": we sent it. */
	"CREATE TABLE thread ("
	"  message_id TEXT NOT NULL,"
	"  report INTEGER NOT NULL REFERENCES report,"
	"  ours INTEGER NOT NULL,"
	"  PRIMARY KEY (message_id, report)) STRICT, WITHOUT ROWID;"
	"CREATE INDEX thread_report ON thread(report);"

	"CREATE TABLE job ("
	"  id INTEGER PRIMARY KEY,"
	"  key TEXT NOT NULL,"			/* hash of what is measured */
	"  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued',"
	"    'submitted', 'done', 'failed', 'cancelled')),"
	"  spec TEXT NOT NULL,"			/* JSON, becomes job.json */
	"  report INTEGER REFERENCES report,"
	"  priority INTEGER NOT NULL DEFAULT 0,"
	"  minutes REAL NOT NULL DEFAULT 0,"	/* of a machine, expected */
	"  used REAL NOT NULL DEFAULT 0,"	/* of a machine, in the end */
	"  folder TEXT NOT NULL DEFAULT '',"
	"  remote TEXT NOT NULL DEFAULT '',"	/* the runner's own name of it */
	"  owner TEXT NOT NULL DEFAULT '',"
	"  lease INTEGER NOT NULL DEFAULT 0,"	/* the owner's until then */
	"  due INTEGER NOT NULL DEFAULT 0,"
	"  tries INTEGER NOT NULL DEFAULT 0,"
	"  error TEXT NOT NULL DEFAULT '',"
	"  outcome TEXT NOT NULL DEFAULT '{}',"
	"  created INTEGER NOT NULL,"
	"  started INTEGER NOT NULL DEFAULT 0,"
	"  ended INTEGER NOT NULL DEFAULT 0) STRICT;"
	"CREATE UNIQUE INDEX job_once ON job(key)"
	"  WHERE state IN ('queued', 'submitted', 'done');"
	"CREATE INDEX job_state ON job(state, priority, id);"

	"CREATE TABLE request ("
	"  id INTEGER PRIMARY KEY,"
	"  mail INTEGER NOT NULL REFERENCES mail,"
	"  report INTEGER REFERENCES report,"
	"  nth INTEGER NOT NULL,"		/* in its mail */
	"  kind TEXT NOT NULL,"
	"  fields TEXT NOT NULL DEFAULT '{}',"
	"  person TEXT NOT NULL,"
	"  state TEXT NOT NULL CHECK (state IN ('held', 'asked', 'queued',"
	"    'answered', 'denied', 'cancelled', 'noted')),"
	"  job INTEGER REFERENCES job,"
	"  expires INTEGER NOT NULL DEFAULT 0,"	/* while held: of its token */
	"  created INTEGER NOT NULL,"
	"  changed INTEGER NOT NULL) STRICT;"
	"CREATE UNIQUE INDEX request_once ON"
	"  request(mail, nth, coalesce(report, 0));"
	"CREATE INDEX request_job ON request(job);"
	"CREATE INDEX request_report ON request(report);"
	"CREATE INDEX request_queued ON request(id) WHERE state = 'queued';"

	"CREATE TABLE outbox ("
	"  id INTEGER PRIMARY KEY,"
	"  message_id TEXT NOT NULL UNIQUE,"
	"  kind TEXT NOT NULL,"
	"  report INTEGER REFERENCES report,"
	"  request INTEGER REFERENCES request,"
	"  state TEXT NOT NULL CHECK (state IN ('review', 'ready', 'sent',"
	"    'failed', 'parked', 'rejected')),"
	"  mail INTEGER REFERENCES mail,"	/* that it answers */
	"  person TEXT NOT NULL DEFAULT '',"	/* whom it answers */
	"  sender TEXT NOT NULL,"		/* of the envelope */
	"  subject TEXT NOT NULL DEFAULT '',"
	"  owner TEXT NOT NULL DEFAULT '',"
	"  lease INTEGER NOT NULL DEFAULT 0,"
	"  due INTEGER NOT NULL DEFAULT 0,"
	"  tries INTEGER NOT NULL DEFAULT 0,"
	"  error TEXT NOT NULL DEFAULT '',"
	"  created INTEGER NOT NULL,"
	"  sent INTEGER NOT NULL DEFAULT 0,"
	"  bytes BLOB NOT NULL) STRICT;"
	"CREATE INDEX outbox_state ON outbox(state, due, id);"

	"CREATE TABLE recipient ("
	"  outbox INTEGER NOT NULL REFERENCES outbox,"
	"  address TEXT NOT NULL,"
	"  state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready',"
	"    'sent', 'refused')),"
	"  reply TEXT NOT NULL DEFAULT '',"
	"  PRIMARY KEY (outbox, address)) STRICT, WITHOUT ROWID;"

	/* What mail to an address came to: "failing" ones get no more. */
	"CREATE TABLE address ("
	"  address TEXT PRIMARY KEY,"
	"  failing INTEGER NOT NULL DEFAULT 0,"
	"  reason TEXT NOT NULL DEFAULT '',"
	"  changed INTEGER NOT NULL) STRICT, WITHOUT ROWID;"

	/* Machine-minutes, charged when a job is queued. */
	"CREATE TABLE spending ("
	"  request INTEGER NOT NULL REFERENCES request,"
	"  job INTEGER NOT NULL REFERENCES job,"
	"  person TEXT NOT NULL,"
	"  domain TEXT NOT NULL,"
	"  report INTEGER REFERENCES report,"
	"  at INTEGER NOT NULL,"
	"  minutes REAL NOT NULL,"
	"  PRIMARY KEY (request, job)) STRICT, WITHOUT ROWID;"
	"CREATE INDEX spending_at ON spending(at);"

	/* Where a source of mail was read to. */
	"CREATE TABLE cursor ("
	"  source TEXT PRIMARY KEY,"
	"  place TEXT NOT NULL) STRICT, WITHOUT ROWID;"

	"CREATE TABLE audit ("
	"  id INTEGER PRIMARY KEY,"
	"  at INTEGER NOT NULL,"
	"  who TEXT NOT NULL,"
	"  what TEXT NOT NULL,"
	"  object TEXT NOT NULL,"
	"  detail TEXT NOT NULL DEFAULT '') STRICT;"
	"CREATE INDEX audit_object ON audit(object);",

	/* 1 -> 2 */
	/* When a stage was last seen, and what went wrong last. */
	"CREATE TABLE stage ("
	"  name TEXT PRIMARY KEY,"
	"  owner TEXT NOT NULL,"
	"  seen INTEGER NOT NULL,"
	"  error TEXT NOT NULL DEFAULT '',"
	"  error_at INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;",

	/* 2 -> 3 */
	/* Which of our mails asks about which request; what was answered. */
	"CREATE TABLE inquiry ("
	"  message_id TEXT PRIMARY KEY,"
	"  request INTEGER NOT NULL REFERENCES request,"
	"  chosen TEXT NOT NULL DEFAULT '',"	/* tokens of reports */
	"  answer INTEGER REFERENCES mail) STRICT, WITHOUT ROWID;"
	"CREATE INDEX inquiry_request ON inquiry(request);"
	/* What was asked before and is still open. */
	"INSERT INTO inquiry(message_id, request) SELECT o.message_id, r.id "
	"  FROM outbox o JOIN request r ON r.mail = o.mail WHERE "
	"  o.kind = 'ask' AND r.state = 'asked' AND r.report IS NULL;",
};

const int schema_version = sizeof(step) / sizeof(*step);

int schema_migrate(struct store *s, int from, struct err *err)
{
	struct buf stamp = BUF_INIT(64);
	int rc = 0;

	for (int n = from; n < schema_version && rc == 0; n++)
		rc = sql_script(s, step[n], err);
	buf_addf(&stamp, "PRAGMA user_version = %d", schema_version);
	if (rc == 0)
		rc = sql_script(s, stamp.s, err);
	buf_release(&stamp);
	return rc;
}
