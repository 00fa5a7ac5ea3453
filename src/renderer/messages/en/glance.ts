import { loaded } from '../base/loaded.ts'

/**
 * What the overview shows beside its facts and graphs: what failed last, who is on, the last lines, what was done, and the
 * room that is left.
 */
export const glance = loaded({
  'overview.updates': { one: '{count} update', other: '{count} updates' },
  'failed.install': 'The installation failed',
  'failed.change': 'The software wasn’t changed',
  'failed.pack': 'The modpack wasn’t installed',
  'failed.reset': 'The server wasn’t reset',
  'failed.other': 'The last change didn’t go as planned',
  'failed.as-before': 'The server is as it was before.',
  'failed.to-software': 'Open Software',
  'failed.to-mods': 'Open Mods',
  'on-now.title': 'On now',
  'on-now.more': '{count} more',
  'on-now.all': 'All players',
  'on-now.nobody': 'Nobody is on.',
  'on-now.offline': 'The server is not online.',
  'on-now.unknown': 'The service doesn’t say whether anybody is on.',
  'on-now.untold': 'The service doesn’t say who they are.',
  'last-lines.title': 'Console',
  'last-lines.all': 'Open console',
  'last-lines.none': 'No lines yet.',
  'last-lines.unread': 'Older lines have not been read. New ones appear here.',
  'last-lines.none-shown': 'The lines that were sent can’t be shown.',
  'last-lines.lost': 'Some lines are missing here.',
  'newest.title': 'Activity',
  'newest.all': 'All activity',
  'newest.none': 'Nothing was done yet.',
  'newest.none-shown': 'What was done can’t be shown here.',
  'room.title': 'Disk',
  'room.free': '{free} free',
  'room.used': '{used} used',
  'room.of': '{used} of {quota} used',
  'room.untold': 'The service doesn’t say how much is free.',
} as const)
