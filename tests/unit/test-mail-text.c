#include "mail-copy.h"

#include <zlib.h>

#include "base/buf.h"
#include "mail/text.h"
#include "mail/unwrap.h"

#define COUNT(t) (sizeof(t) / sizeof(t[0]))

static void check(const char *name, struct buf *got, const char *want)
{
	if (strcmp(got->s, want))
		fail_msg("%s: want '%s', got '%s'", name, want, got->s);
	buf_release(got);
}

static void charsets(void **state)
{
	static const struct {
		const char *charset, *raw, *want;
	} t[] = {
		{ "utf-8", "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "iso-8859-1", "J\xf6rg", "J\xc3\xb6rg" },
		{ "iso-8859-1", "\x93" "a\x94", "\xe2\x80\x9c" "a\xe2\x80\x9d" },
		{ NULL, "J\xf6rg", "J\xc3\xb6rg" },
		{ NULL, "J\xc3\xb6rg", "J\xc3\xb6rg" },
		/* Wrong labels. */
		{ "utf-8", "J\xf6rg", "J\xc3\xb6rg" },
		{ "us-ascii", "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "iso-8859-1", "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "x-unknown", "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "unknown-8bit", "J\xf6rg", "J\xc3\xb6rg" },
		{ "", "J\xc3\xb6rg", "J\xc3\xb6rg" },
		{ "../../x", "a", "a" }, { "utf-8//IGNORE", "J\xf6", "J\xc3\xb6" },
		{ "utf-8", "\xc3\xb6 \xff", "\xc3\xb6 \xef\xbf\xbd" },
		{ "utf-8", "cut \xc3\xb6\xc3", "cut \xc3\xb6\xef\xbf\xbd" },
		{ "gb2312", "\xc4\xe3\xba\xc3", "\xe4\xbd\xa0\xe5\xa5\xbd" },
		{ "ks_c_5601-1987", "\xb0\xa1", "\xea\xb0\x80" },
		{ "Shift_JIS", "\x93\xfa", "\xe6\x97\xa5" },
		{ "iso-2022-jp", "\x1b$BF|\x1b(B!", "\xe6\x97\xa5!" },
		{ "koi8-r", "\xc4\xc1", "\xd0\xb4\xd0\xb0" },
		{ NULL, "--- a\n+++ b\n+\xf6", "--- a\n+++ b\n+\xef\xbf\xbd" },
		{ "latin1", "--- a\n+++ b\n+\xf6", "--- a\n+++ b\n+\xc3\xb6" },
		{ "gb18030", "a\xff" "b", "a\xef\xbf\xbd" "b" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);
		size_t len = strlen(t[i].raw);
		char *copy = malloc(len);

		memcpy(copy, t[i].raw, len);
		charset_decode(&out, t[i].charset, copy, len);
		free(copy);
		check(t[i].charset ? t[i].charset : "none", &out, t[i].want);
	}
}

static void transfer_encodings(void **state)
{
	static const struct {
		const char *encoding, *raw, *want;
	} t[] = {
		{ NULL, "a=20b", "a=20b" },
		{ "8bit", "a=20b", "a=20b" },
		{ "Quoted-Printable", "a=20b=\nc=3D\n", "a bc=\n" },
		{ "quoted-printable", "a=ZZb=", "a=ZZb" },
		{ "quoted-printable", "a= \t\nb=\r\nc= ", "abc" },
		{ "quoted-printable", "=c3=b6 =C 3=", "\xc3\xb6 =C 3" },
		{ "quoted-printable", "a=4", "a=4" },
		{ "base64", "SGVs\nbG8=\n", "Hello" },
		{ "BASE64", "SGVsbG8", "Hello" },
		{ "base64", "SGVsbG8=SGVsbG8=", "HelloHello" },
		{ "base64", "S*G V!s\x80" "bG8=", "S*G V!s\x80" "bG8=" },
		{ "base64", "SGVsbG8=\n____\nlist footer\n",
		  "Hello____\nlist footer\n" },
		{ "base64", "\n\nSGVsbG8=", "Hello" },
		{ "x-nobody-knows", "a", "a" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);
		size_t len = strlen(t[i].raw);
		char *copy = malloc(len);

		memcpy(copy, t[i].raw, len);
		transfer_decode(&out, t[i].encoding, copy, len);
		free(copy);
		check(t[i].raw, &out, t[i].want);
	}
}

static void line_ends(void **state)
{
	static const struct {
		const char *raw, *want;
	} t[] = {
		{ "a\nb\n", "a\nb\n" }, { "a\r\nb\r\n", "a\nb\n" },
		{ "a\rb\r", "a\nb\n" }, { "a\r\r\nb", "a\nb" },
		{ "a", "a" }, { "", "" }, { "\n", "\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);

		assert_false(text_normalise(&out, t[i].raw,
					    strlen(t[i].raw)));
		check(t[i].raw, &out, t[i].want);
	}
}

static void nul_is_seen_and_shown(void **state)
{
	struct buf out = BUF_INIT(1000);

	(void)state;
	assert_true(text_normalise(&out, "a\0b\n", 4));
	check("NUL", &out, "a\xef\xbf\xbd" "b\n");
}

static void flowed(void **state)
{
	static const struct {
		const char *raw;
		bool delsp;
		const char *want;
	} t[] = {
		{ "one \ntwo\nthree\n", false, "one two\nthree\n" },
		{ "one \ntwo\n", true, "onetwo\n" },
		{ "> one \n> two\nthree\n", false, "> one two\nthree\n" },
		{ "> one \nmine\n", false, "> one \nmine\n" },
		{ ">> a\n> b\n", false, ">> a\n> b\n" },
		{ " From x\n >y\n  z\n", false, "From x\n>y\n z\n" },
		{ "hi \n-- \nAnn\n", false, "hi \n-- \nAnn\n" },
		/* Stuffed context of a diff, an empty line among it. */
		{ "@@ -1,3 +1,3 @@\n  a\n \n-b\n+c\n", false,
		  "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n" },
		{ "  \n  x\n", false, " \n x\n" },
		{ "", false, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);

		flowed_decode(&out, t[i].raw, strlen(t[i].raw), t[i].delsp);
		check(t[i].raw, &out, t[i].want);
	}
}

static void html(void **state)
{
	static const struct {
		const char *raw, *want;
	} t[] = {
		{ "<p>one</p><p>two</p>", "one\n\ntwo\n" },
		{ "<div>one</div><div>two</div>", "one\ntwo\n" },
		{ "one<br>two<br/>three", "one\ntwo\nthree\n" },
		{ "a\n  b\t c", "a b c\n" },
		{ "<pre>a\n  b\n\tc</pre>d", "a\n  b\n\tc\nd\n" },
		{ "&lt;a&gt; &amp;amp; &#65;&#x42;&#xe4;", "<a> &amp; AB\xc3\xa4\n" },
		{ "&nosuch; & &#xd800; &#99999999;", "&nosuch; & &#xd800; "
		  "&#99999999;\n" },
		{ "<blockquote>q<br>r</blockquote>n", "> q\n> r\nn\n" },
		{ "<div>a</div><hr tabindex=-1><b>From:</b> x", "a\n\nFrom: x\n" },
		{ "<blockquote><blockquote>q</blockquote></blockquote>",
		  "> > q\n" },
		{ "<head><title>x</title></head><body>y", "y\n" },
		{ "<script>if (a<b) x();</script>y<style>p{}</style>", "y\n" },
		{ "<script>never closed", "" },
		{ "<!-- <p> no -->yes", "yes\n" },
		{ "a < b and c > d", "a < b and c > d\n" },
		{ "<a href=\"https://example.org/x\">here</a>",
		  "here <https://example.org/x>\n" },
		{ "<a href='https://example.org/x'>https://example.org/x</a>",
		  "https://example.org/x\n" },
		{ "<a href=\"mailto:a@example.org\">Ann</a>", "Ann\n" },
		{ "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>"
		  "</table>", "a b\nc\n" },
		{ "<ul><li>a</li><li>b</li></ul>", "a\nb\n" },
		{ "a&nbsp;b", "a b\n" }, { "<", "<\n" }, { "&", "&\n" },
		{ "<a", "<a\n" }, { "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);
		size_t len = strlen(t[i].raw);
		char *copy = malloc(len);

		memcpy(copy, t[i].raw, len);
		html_text(&out, copy, len);
		free(copy);
		check(t[i].raw, &out, t[i].want);
	}
}

static void gateways_give_links_back(void **state)
{
	static const struct { const char *line, *want; } t[] = {
		{ "Test https://eur03.safelinks.protection.outlook.com/?url="
		  "https%3A%2F%2Fa.example%2Fm%2F1%2540b.example%2F&data=05%7C"
		  "x&sdata=Zq%3D&reserved=0 on top.",
		  "Test https://a.example/m/1%40b.example/ on top." },
		{ "(https://gcc02.safelinks.protection.outlook.com/?data=1&amp;"
		  "url=http%3a%2f%2fa.example&amp;reserved=0)",
		  "(http://a.example" },
		{ "<https://urldefense.proofpoint.com/v2/url?u=https-3A__a."
		  "example_x-2Dy_&d=DwIB>", "<https://a.example/x-y/>" },
		{ "https://urldefense.com/v3/__https://a.example/r/20*40b__;JQ!!"
		  "Abc!x$", "https://a.example/r/20%40b" },
		{ "https://urldefense.com/v3/__https://a.example/**A?x__;"
		  "wqDCow!!Abc!x$", "https://a.example/\xc2\xa0?x" },
		{ "https://secure-web.cisco.com/1aB-/https%3A%2F%2Fa.example%2F",
		  "https://a.example/" },
		{ "https://protect2.fireeye.com/v1/url?k=1&q=1&e=2&u=https%3A%2F"
		  "%2Fa.example", "https://a.example" },
		{ "see https://www.google.com/url?q=https://a.example/x&sa=D end",
		  "see https://a.example/x end" },
		/* One gateway's inside another's. */
		{ "https://x.safelinks.protection.outlook.com/?url=https%3A%2F%2F"
		  "urldefense.proofpoint.com%2Fv2%2Furl%3Fu%3Dhttps-3A__a.example"
		  "%26d%3D1&data=1", "https://a.example" },
		/* Theirs, but with nothing in it that is a link. */
		{ "https://x.safelinks.protection.outlook.com/?url=javascript%3A1",
		  NULL },
		{ "https://x.safelinks.protection.outlook.com/?url=https%3A%2F%2F"
		  "a%0Ab", NULL },
		{ "https://x.safelinks.protection.outlook.com/?data=1", NULL },
		{ "https://urldefense.com/v3/__https://a.example", NULL },
		{ "https://urldefense.com/v3/__;__;!!", NULL },
		/* Not theirs. */
		{ "https://evil.example/safelinks.protection.outlook.com/?url="
		  "https%3A%2F%2Fa.example", NULL },
		{ "https://xsafelinks.protection.outlook.com/?url=https%3A%2F%2F"
		  "a.example", NULL },
		{ "safelinks.protection.outlook.com/?url=x://", NULL },
		{ "https://a.example/", NULL }, { "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct buf out = BUF_INIT(1000);
		size_t len = strlen(t[i].line);
		char *line = malloc(len + 1);	/* its end, to the byte */

		memcpy(line, t[i].line, len);
		assert_int_equal(links_unwrap(&out, (struct slice){ line, len }),
				 t[i].want != NULL);
		check(t[i].line, &out, t[i].want ? t[i].want : "");
		free(line);
	}
}

static void gzip(void **state)
{
	/* "diff\n", gzipped. */
	static const unsigned char good[] = {
		0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 2, 0xff, 0x4b, 0xc9, 0x4c,
		0x4b, 0xe3, 0x02, 0, 0xb4, 0x0c, 0x96, 0x73, 0x05, 0, 0, 0,
	};
	struct buf out = BUF_INIT(1000), tiny = BUF_INIT(3);

	(void)state;
	assert_int_equal(gzip_decode(&out, (const char *)good, sizeof(good)),
			 0);
	check("gzip", &out, "diff\n");
	assert_int_equal(gzip_decode(&tiny, (const char *)good, sizeof(good)),
			 -1);
	assert_int_equal(gzip_decode(&out, "no gzip at all, surely", 22), -1);
	assert_int_equal(gzip_decode(&out, "\x1f\x8b\x08 broken as can be",
				     24), -1);
	assert_int_equal(gzip_decode(&out, "", 0), -1);
	buf_release(&out);
	buf_release(&tiny);
}

/* 64 MB in 64 KB: no more than fits is unpacked, also of several members, and
 * what was cut off yields its beginning. */
static void gzip_bombs(void **state)
{
	const size_t large = (size_t)64 << 20;
	struct buf out = BUF_INIT(1000000), all = BUF_INIT(large + 100);
	char *zeros = calloc(1, large), *packed = malloc(1 << 20);
	z_stream z = { .next_in = (unsigned char *)zeros,
		       .avail_in = (unsigned int)large,
		       .next_out = (unsigned char *)packed,
		       .avail_out = 1 << 20 };
	size_t len;

	(void)state;
	assert_non_null(zeros);
	memset(zeros, 'x', 50);
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9,
				      Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	len = z.total_out;
	deflateEnd(&z);
	assert_int_equal(gzip_decode(&out, packed, len), -1);
	assert_true(out.len <= out.max);
	assert_int_equal(gzip_decode(&all, packed, len), 0);
	assert_int_equal(all.len, large);
	buf_reset(&all);
	assert_int_equal(gzip_decode(&all, packed, len / 2), 0);
	assert_in_range(all.len, large / 4, large - 1);
	memcpy(packed + len, packed, len);
	buf_reset(&all);
	assert_int_equal(gzip_decode(&all, packed, 2 * len), -1);
	buf_release(&out);
	buf_release(&all);
	free(zeros);
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(charsets),
		cmocka_unit_test(transfer_encodings),
		cmocka_unit_test(line_ends),
		cmocka_unit_test(nul_is_seen_and_shown),
		cmocka_unit_test(flowed),
		cmocka_unit_test(html),
		cmocka_unit_test(gzip),
		cmocka_unit_test(gzip_bombs),
		cmocka_unit_test(gateways_give_links_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
