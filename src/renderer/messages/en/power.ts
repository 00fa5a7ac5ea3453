import { loaded } from '../base/loaded.ts'

export const power = loaded({
  'power.ask-stop': { one: 'Stop {name}?', other: 'Stop {count} servers?' },
  'power.ask-restart': { one: 'Restart {name}?', other: 'Restart {count} servers?' },
  'power.ask-kill': { one: 'Kill {name}?', other: 'Kill {count} servers?' },
  'power.kill-text':
    'The program ends immediately, without saving. Everything since the world was last saved is lost. To save first, use Stop.',
  'power.ask-text': {
    one: '{count} player is online and will be disconnected.',
    other: '{count} players are online and will be disconnected.',
  },
  'power.ask-remember': 'Remember my choice',
  'power.stop-now': 'Stop now',
  'power.restart-now': 'Restart now',
  'power.stop-warned': 'Warn players, stop in 1 minute',
  'power.restart-warned': 'Warn players, restart in 1 minute',
  'power.countdown': 'Countdown',
  'power.stop-in': 'Stops in {left}',
  'power.restart-in': 'Restarts in {left}',

  'power.copy-address': 'Copy address',

  'power.players-on': 'When players are online',
  'power.players-on-ask': 'Ask before stopping or restarting',
  'power.players-on-warn': 'Warn players for 1 minute',
  'power.players-on-now': 'Stop or restart now',
} as const)
