import { loaded } from '../base/loaded.ts'

export const power = loaded({
  'warning.ask-stop': { one: 'Stop {name}?', other: 'Stop {count} servers?' },
  'warning.ask-restart': { one: 'Restart {name}?', other: 'Restart {count} servers?' },
  'warning.ask-kill': { one: 'Kill {name}?', other: 'Kill {count} servers?' },
  'warning.kill-text':
    'The program ends immediately, without saving. Everything since the world was last saved is lost. To save first, use Stop.',
  'warning.ask-text': {
    one: '{count} player is online and will be disconnected.',
    other: '{count} players are online and will be disconnected.',
  },
  'warning.ask-remember': 'Remember my choice',
  'warning.stop-now': 'Stop now',
  'warning.restart-now': 'Restart now',
  'warning.stop-warned': 'Warn players, stop in 1 minute',
  'warning.restart-warned': 'Warn players, restart in 1 minute',
  'warning.countdown': 'Countdown',
  'warning.stop-in': 'Stops in {left}',
  'warning.restart-in': 'Restarts in {left}',

  'power.back-up': 'Back up now',
  'power.backing-up': 'Backing up {name}',
  'power.show-backups': 'Show backups',

  'address.copy-it': 'Copy address',

  'warning.players-on': 'When players are online',
  'warning.players-on-ask': 'Ask before stopping or restarting',
  'warning.players-on-warn': 'Warn players for 1 minute',
  'warning.players-on-now': 'Stop or restart now',
} as const)
