import { loaded } from '../base/loaded.ts'

export const builds = loaded({
  'build.label': 'Build',
  'build.newest': 'Newest stable ({build})',
  'build.newest-trial': 'Newest ({build}, experimental)',
  'build.of': '{build}, {time}',
  'build.trial': '{build} (experimental)',
  'build.trial-of': '{build}, {time} (experimental)',
  'build.downloaded': '{build}, downloaded',
  'build.kept': 'This build stays until you choose another.',
  'build.same': 'Build {build} is already installed.',
  'build.have-newest': 'You have the newest build.',
  'build.older': 'This build is older than the installed one, {build}.',
  'build.changes': 'Changes from build {from} to {to}',
  'build.no-changes': 'The catalog doesn’t say what changed.',
  'build.more-changes': { one: 'and {count} more change', other: 'and {count} more changes' },
} as const)
