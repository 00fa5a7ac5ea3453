/** What holds against an attacker or an accident, and the test that proves it. */
export interface Protection {
  claim: string
  file: string
  test: string
}

/** Protections by what they hold against. SECURITY.md names each of these groups. */
export const threatModel: Record<string, Protection[]> = {
  'a stranger on the network': [
    {
      claim: 'Every declared operation asks for a token unless its declaration says otherwise.',
      file: 'src/service/http/http.test.ts',
      test: 'asks every operation that is declared so for a token',
    },
    {
      claim: 'Known addresses are counted on their own, and a code belongs to the one who asked for it.',
      file: 'src/service/hosting/accounts/lock-out.test.ts',
      test: 'cannot keep the owner from signing in where they signed in before',
    },
    {
      claim: 'Each new address has attempts of its own, and there is a reserve of mails.',
      file: 'src/service/hosting/accounts/lock-out.test.ts',
      test: 'cannot keep out an owner at a new address: the right password gets in, and so does the next code',
    },
    {
      claim: 'Strangers together compare at most 240 six-digit codes a day.',
      file: 'src/service/hosting/accounts/lock-out.test.ts',
      test: "cannot use up the tries of the owner's code, nor make it void, and guess few times at it",
    },
    {
      claim: "Answers don't tell who has an account: same work, same words, same queue.",
      file: 'src/service/hosting/accounts/lock-out.test.ts',
      test: 'hear the same of an email with an account and of one without',
    },
    {
      claim: 'Scanners and floods of pings never wake a sleeping server.',
      file: 'src/service/sleep/flood.test.ts',
      test: 'thousands of pings change nothing: most are turned away, and it sleeps on',
    },
    {
      claim: 'What strangers send to a sleeping server is bounded in size, time and number.',
      file: 'src/service/sleep/flood.test.ts',
      test: 'hostile packets end their connection and nothing else',
    },
    {
      claim: 'A name is one line in the contract and in mails.',
      file: 'src/service/hosting/accounts/sign-in/mails.test.ts',
      test: 'a name cannot write into a mail: it stands in one line behind its greeting',
    },
    {
      claim: 'A name is plain text in HTML mails, which load nothing and link nowhere.',
      file: 'src/service/hosting/accounts/sign-in/mails.test.ts',
      test: 'a name is a text in HTML too: nothing of it is obeyed',
    },
    {
      claim: 'Resetting a password by mail makes no address known to the second factor.',
      file: 'src/service/hosting/accounts/second-factors.test.ts',
      test: 'whoever reads the mail guesses as strangers do, wherever the password was reset from',
    },
    {
      claim: 'Codes of the second factor work once, and few can be guessed.',
      file: 'src/service/hosting/accounts/second-factors.test.ts',
      test: 'wrong codes are counted, by address and for all strange addresses together',
    },
    {
      claim: 'Mail leaves this computer encrypted or not at all.',
      file: 'src/service/hosting/mail/smtp-settings.test.ts',
      test: 'elsewhere is spoken to encrypted or not at all; one of this computer as it is',
    },
    {
      claim: "The mail server's certificate is verified.",
      file: 'src/service/hosting/mail/smtp-outbox.test.ts',
      test: 'mail goes by TLS from the start with a user and a password, to a server whose certificate is vouched for',
    },
    {
      claim: 'The log is bounded in size, rate and length of entries.',
      file: 'src/host/logging/open-logger.test.ts',
      test: 'of a flood so much is kept as fits into a second, and one entry says how much is missing',
    },
    {
      claim: 'Connections that show no token are dropped first.',
      file: 'src/service/http/limits/connections.test.ts',
      test: 'who only opens connections drops their own, not that of who has signed in',
    },
    {
      claim: 'The shape of a JSON body is bounded before it is parsed.',
      file: 'src/contract/rules/json-bounds.test.ts',
      test: 'JSON is bounded by its values and its depth before it is parsed',
    },
    {
      claim: 'Only listed kinds of plain text files are opened on this computer, in folders of this user.',
      file: 'src/main/areas/files/external-editor/openable.test.ts',
      test: 'opens what the system could run by no name and no content',
    },
  ],
  'a program of another user of this computer': [
    {
      claim: "Calls need the page's key, which no cookie can fetch.",
      file: 'tests/e2e/cookie-alone.spec.ts',
      test: 'a program on another port is handed the cookie by the browser, and can do nothing with it',
    },
    {
      claim: 'The one-time code is passed to the browser in a file of mode 0600.',
      file: 'tests/e2e/cookie-alone.spec.ts',
      test: 'the browser is opened by a file that this user alone can read, and no program has the code in its arguments',
    },
    {
      claim: 'Every error has a listener, connections are bounded, and programs end in order.',
      file: 'src/web/server.test.ts',
      test: 'ends nothing by a reset while its upgrade is refused',
    },
    {
      claim: 'No compiled code is cached.',
      file: 'tests/unit/electron-boot.test.ts',
      test: 'keeps no compiled code anywhere, least of all where another user could place some',
    },
    {
      claim: "The parent's secret is never refused because of what others tried.",
      file: 'src/service/hosting/accounts/account-limits.test.ts',
      test: 'is signed in whatever strangers on this computer tried before, though not by a proxy',
    },
    {
      claim: 'Whatever is in place of a data file is looked at and never waited for.',
      file: 'src/host/data-file.test.ts',
      test: 'is written over what a crash left half done, whatever that is',
    },
  ],
  'another web page': [
    {
      claim: 'Socket and uploads check Host, Origin, Sec-Fetch-Site, cookie and key.',
      file: 'src/web/gate.test.ts',
      test: 'opens the socket only for its own page, and only with its key',
    },
    {
      claim: 'Neither HEAD nor a prefetch uses up the one-time code.',
      file: 'src/web/gate.test.ts',
      test: 'keeps the code for the browser that shows the page: neither HEAD nor a fetch in advance uses it up',
    },
    {
      claim: 'A link leads to a place in the panel and nowhere else.',
      file: 'src/main/desktop/deep-link.test.ts',
      test: 'whatever a link says, what comes of it is a place of the page',
    },
    {
      claim: 'The window has no navigation, no further windows and no permissions.',
      file: 'src/main/electron/lock.test.ts',
      test: 'opens no further window',
    },
  ],
  'a hostile service': [
    {
      claim: 'System notifications are plain, short and grouped.',
      file: 'src/main/desktop/alerts/alert-gate.test.ts',
      test: 'a thousand are one, which counts them and keeps a hundred alone',
    },
    {
      claim: 'The token goes to its exact origin only; redirects are followed by hand.',
      file: 'src/main/api/origin.test.ts',
      test: 'a chain that starts at home and leads away is cut where it leaves',
    },
    {
      claim: 'Duplicate or unreadable items are left out of lists, and endless cursors stop.',
      file: 'src/main/views/failed-reads.test.ts',
      test: 'one bad item never fails a list: what is doubled or does not fit is left out and told',
    },
    {
      claim: 'Only servers that are listed or watched are followed; cached views and lines are bounded.',
      file: 'src/main/console/unasked.test.ts',
      test: 'a service that tells of 1,500 servers nobody asked for leaves nothing of them, in memory or on the disk',
    },
    {
      claim: 'Jobs a service merely mentions are asked for up to a limit.',
      file: 'src/main/areas/files/followed-jobs.test.ts',
      test: 'asks for a bounded number of jobs that a service only tells of, and for each that was begun here',
    },
    {
      claim: 'Folders in memory are bounded by their entries.',
      file: 'src/main/views/cache/view-store.test.ts',
      test: 'are let go of in memory when they are large, but for those shown lately',
    },
    {
      claim: 'Retries share one growing delay and respect Retry-After.',
      file: 'src/main/views/cache/retries.test.ts',
      test: 'waits as long as the service asked for, and whoever shows it asks no sooner',
    },
  ],
  'a hostile plugin or game': [
    {
      claim:
        "In a container it reaches no other server's files, not the service, the engine or the provider's secrets.",
      file: 'src/service/runtime/containers/attack.engine.test.ts',
      test: 'a plugin that means harm reaches no other server, not the service, the engine or the secrets of the provider',
    },
    {
      claim: 'Console lines are bounded, and so is what waits for slow readers.',
      file: 'src/service/http/limits/bounds.test.ts',
      test: 'a page of a console ends where its lines are long, and the next one goes on there',
    },
    {
      claim: 'The management port is on loopback, with bounded messages, calls and notifications.',
      file: 'src/service/management/management-link.test.ts',
      test: 'of a burst of notifications the last word is asked for as a whole',
    },
    {
      claim: 'The secret of the management port is made by the service and never logged.',
      file: 'src/service/management/management-link.test.ts',
      test: 'a secret that is refused is never logged, and is tried again ever more seldom',
    },
    {
      claim: "Links out of a server's folder aren't followed, even while they are swapped.",
      file: 'src/service/files/swapped.test.ts',
      test: 'a folder that is swapped for a link all the time never lets anything out or in',
    },
  ],
  'a collaborator or another account': [
    {
      claim: 'Strangers read 404.',
      file: 'src/service/crowd.test.ts',
      test: 'every answer is right while several people create, rename, start and delete servers beside readers',
    },
    {
      claim: 'Every operation declares what it needs, and every way to it is checked.',
      file: 'src/service/areas/access/every-scope.test.ts',
      test: 'every operation is asked with every scope by everybody there can be, and each is told what the declarations say',
    },
    {
      claim: 'Streams and transfers end at once when access is taken away.',
      file: 'src/service/areas/access/access.test.ts',
      test: 'a scope that is taken away ends the streams and the uploads that needed it at once',
    },
    {
      claim: "Only a server's owner grants what runs programs.",
      file: 'src/service/areas/access/access.test.ts',
      test: 'nobody grants what they do not hold, and only the owner what runs programs',
    },
    {
      claim: 'Invitations are counted by sender, then by recipient; nobody uses up what others may send.',
      file: 'src/service/areas/access/access.test.ts',
      test: 'many strangers together cannot keep an owner from inviting, nor fill a mailbox',
    },
    {
      claim: 'Each account has its own lanes and rates.',
      file: 'src/service/http/limits/request-limiter.test.ts',
      test: 'waits for what the same account has under way, in order, and for nobody else',
    },
    {
      claim: 'Notifications of a server disappear with the right to read it.',
      file: 'src/service/areas/notifications/notifications.test.ts',
      test: 'nobody is told of a server that they may not read, and what was told is out of sight once they may not',
    },
    {
      claim: 'Archives are streamed, and every part of them is bounded.',
      file: 'src/service/files/archives/archive-bounds.test.ts',
      test: 'a zip whose list is larger than the archives people make is refused, and is never held',
    },
    {
      claim: 'A command is one line by every way of counting lines.',
      file: 'src/service/software/one-line.test.ts',
      test: 'a server of ours takes U+2028 in a command for what it is: a character, and no second command',
    },
  ],
  'a thief of a token': [
    {
      claim: 'The second factor takes the password to turn on, and password and code to turn off.',
      file: 'src/service/hosting/accounts/second-factors.test.ts',
      test: 'whoever has a token alone neither begins it nor turns it off',
    },
    {
      claim: 'A password is compared and written in one step, with few attempts for each token.',
      file: 'src/service/hosting/accounts/races.test.ts',
      test: "a thief's change does not win over the owner's reset",
    },
    {
      claim: "An account's stream ends with its sign-in, and says so.",
      file: 'src/service/areas/notifications/stream.test.ts',
      test: 'says that its sign-in has ended, and ends',
    },
    {
      claim: 'Streams, downloads and uploads end with the sign-in.',
      file: 'src/service/areas/access/access.test.ts',
      test: 'a sign-in that is ended loses its streams at once',
    },
    {
      claim: "A request that began with a token isn't carried out once the token is revoked.",
      file: 'src/service/http/http.test.ts',
      test: 'that were begun with a token are not obeyed once that was revoked',
    },
  ],
  'a thief of the disk': [
    {
      claim: 'Tokens are in the keychain or in memory, never in a file.',
      file: 'tests/e2e/secrets.spec.ts',
      test: 'a token is in the keychain and nowhere else',
    },
    {
      claim: 'Values of headers are in the keychain or in memory, never in a file, an answer or the log.',
      file: 'src/main/profiles/calls.test.ts',
      test: 'what a header holds is in the keychain alone: in no file, no answer, no event and no log',
    },
    {
      claim: 'Addresses of sign-ins are kept as HMACs; the key is in the same database.',
      file: 'src/service/hosting/accounts/lock-out.test.ts',
      test: 'addresses are kept as hashes that are others for each account and each service',
    },
    {
      claim: 'Signing out also removes what was set aside.',
      file: 'src/main/panel/kept-files.test.ts',
      test: 'forgets what was set aside when a person signs out, which wipes the same from its files',
    },
  ],
  accidents: [
    {
      claim: 'Diagnostics that people pass on contain no secret.',
      file: 'src/main/diagnostics/diagnostics.test.ts',
      test: 'holds no secret, wherever one was planted',
    },
    {
      claim: 'Settings that move to another computer contain declared fields only.',
      file: 'src/main/settings-transfer/settings-transfer.test.ts',
      test: 'holds nothing but what is declared, whatever it was given',
    },
    {
      claim: 'Copies are verified, and restored only when asked.',
      file: 'src/service/store/copies.test.ts',
      test: 'is restored from the newest copy that is whole',
    },
    {
      claim: 'A folder that belongs to no server is never deleted.',
      file: 'src/service/areas/servers/register.test.ts',
      test: 'in the middle of creating nothing is left of the server, but a folder with files is nobody’s to delete',
    },
    {
      claim: 'Deleted files age by the time seen passing, not by the clock.',
      file: 'src/service/files/trash.test.ts',
      test: 'a clock that jumps a month or a century ahead, or back, removes nothing, over a restart either',
    },
    {
      claim: 'An unhandled error is logged and reported, and servers are stopped first.',
      file: 'tests/unit/last-resort.test.ts',
      test: 'a panel tells of an error that nobody caught, writes it down, and stops its service before it ends',
    },
  ],
}
