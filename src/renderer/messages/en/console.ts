import { loaded } from '../base/loaded.ts'

/** The console tab. */
export const console = loaded({
  'console.output': 'Console output',
  'console.state-live': 'Live',
  'console.state-connecting': 'Reconnecting…',
  'console.state-polling': 'Checked every few seconds',
  'console.state-offline': 'Offline',
  'console.state-unreachable': 'The panel cannot be reached',
  'console.state-opening': 'Opening…',
  'console.newest': 'newest line {age}',
  'console.older': 'Loading more lines…',
  'console.empty': 'No output yet',
  'console.none-readable': 'No line can be shown',
  'console.left-out': {
    one: 'The service sent {count} line that couldn’t be read.',
    other: 'The service sent {count} lines that couldn’t be read.',
  },
  'console.empty-text': 'The server’s output appears here.',
  'console.unread': 'The console’s history couldn’t be read',
  'console.follow': 'Follow',
  'console.unseen': {
    one: '{count} new line',
    other: '{count} new lines',
  },
  'console.timestamps-on': 'Show timestamps',
  'console.copy': 'Copy selected lines',
  'console.copy-nothing': 'Select some text first.',
  'console.gap': '— lines {from}–{to} are missing —',
  'console.gap-one': '— line {line} is missing —',
  'console.gap-until': '— lines up to {to} are missing —',
  'console.gap-unknown': '— some lines are missing —',
  'console.unreadable': 'This line can’t be shown: the copy on this computer is damaged.',
  'console.failed': 'Some lines could not be read. {why}',

  'console.search': 'Search',
  'console.search-open': 'Search the console ({keys})',
  'console.search-field': 'Search the console',
  'console.search-hint': 'Find',
  'console.search-case': 'Match case',
  'console.search-previous': 'Previous match, then older lines',
  'console.search-next': 'Next match',
  'console.search-close': 'Close search',
  'console.search-found': '{at} of {count}',
  'console.search-many': 'More than {count}',
  'console.search-none': 'No match in these lines',
  'console.search-older': 'Search older lines',
  'console.search-looked': 'Searching… {count} older lines',
  'console.search-no-older': 'No older matches found',
  'console.search-failed': 'Older lines could not be read',
  'console.search-stop': 'Stop',

  'command.label': 'Command',
  'command.hint': 'Type a command and press Enter',
  'command.send': 'Send',
  'command.lines':
    'These are {count} lines, and a command is a single line. Send them one by one, or edit them.',
  'command.send-lines': 'Send {count} commands',
  'command.long':
    'A command can have up to {max} characters; this one has {length}. Nothing was sent. Shorten it and try again.',
  'command.control':
    'A command cannot contain control characters. Nothing was sent. Remove them and try again.',
  'command.unconfirmed':
    'Sent: “{command}”. The service did not confirm it. Look at the console before you send it again.',
  'command.unsure': 'It is not known whether “{command}” ran. Look at the console before you send it again.',
  'command.failed': 'Not sent: “{command}”.',
  'command.refused': 'Not accepted by the service: “{command}”.',
} as const)
