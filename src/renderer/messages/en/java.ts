import { loaded } from '../base/loaded.ts'

export const java = loaded({
  'java.choice': 'Java',
  'java.auto': 'Automatic: the one this version needs',
  'java.found': 'Java {major} · {version}',
  'java.found-by': 'Java {major} · {version}, {vendor}',
  'java.missing': 'Java {major} (downloaded at the next start)',
  'java.choice-text': 'Takes effect at the next start. A version that is missing is downloaded.',
  'java.set': 'Arguments',
  'java.set-default': 'Java’s own',
  'java.set-aikar': 'Aikar’s flags',
  'java.set-zgc': 'ZGC',
  'java.set-default-text': 'Java decides by itself. Right for small servers.',
  'java.set-aikar-text': 'Fewer pauses on busy Paper servers. All of the memory is taken at the start.',
  'java.set-zgc-text': 'Very short pauses with a lot of memory. Needs Java 15 or newer.',
  'java.own': 'Own arguments',
  'java.own-text': 'One per line. Only those that tune Java: nothing that loads code or touches files.',
  'java.auto-start': 'Start when Wheelhouse starts',
  'java.auto-start-elsewhere': 'Start when the service starts',
  'java.auto-restart': 'Restart after a crash, at most three times in ten minutes',

  'duplicate.title': 'Duplicate server',
  'duplicate.text':
    'A new server with the same world, files and settings, at another port. Nobody you share this one with has access to it.',
  'duplicate.button': 'Duplicate…',
  'duplicate.name': 'Name of the copy',
  'duplicate.name-default': '{name} (copy)',
  'duplicate.make': 'Duplicate',
  'duplicate.long': 'A large world takes a few minutes to copy.',
  'duplicate.running': 'Stop the server first: while it runs, its world is only half on the disk.',
  'duplicate.done': '{name} was created.',
} as const)
