import { loaded } from '../base/loaded.ts'

export const nodes = loaded({
  'nodes.text':
    'The computers that run this service’s servers. At each start the swarm chooses one, unless a server’s settings name it.',
  'nodes.unread': 'The computers couldn’t be loaded',
  'nodes.ready': 'Ready',
  'nodes.gone': 'Can’t be reached',
  'nodes.gone-since': 'Unreachable since {time}',
  'nodes.draining': 'Takes no more servers',
  'nodes.memory': '{taken} of {total} assigned',
  'nodes.cores': { one: '{count} core', other: '{count} cores' },
  'nodes.servers': 'Servers on {name}',
  'nodes.no-servers': 'No servers',
  'nodes.players': { one: '{count} player: {names}', other: '{count} players: {names}' },
  'nodes.unnamed-players': { one: '{count} player', other: '{count} players' },
  'nodes.use': 'Use again',
  'nodes.use-named': 'Use {name} again',
  'nodes.drain': 'Drain…',
  'nodes.drain-named': 'Drain {name}',
  'nodes.go-on': 'Move servers…',
  'nodes.go-on-named': 'Move the servers of {name}',

  'nodes.drain-title': 'Drain {name}',
  'nodes.drain-text':
    '{name} takes no more servers until you choose Use again. Servers that can run elsewhere are restarted one after another, so that they start on other computers.',
  'nodes.drain-players': {
    one: '{count} player is disconnected for a moment.',
    other: '{count} players are disconnected for a moment.',
  },
  'nodes.drain-do': 'Drain and restart',
  'nodes.drain-only': 'Drain',
  'nodes.no-other':
    'No other computer takes servers right now. Use another one again, or add one to the swarm.',
  'nodes.anywhere': 'Restarts on any other computer',
  'nodes.pinned':
    'Stays here and runs on: its settings name this computer. Once stopped, it starts again after Use again, or when its owner chooses another one.',
  'nodes.moving': 'Restarting…',
  'nodes.moved': 'Online on {node}',
  'nodes.moved-somewhere': 'Online',
  'nodes.not-moved': 'Couldn’t be started. Its console says why.',

  'nodes.runs-on': 'Runs on',
  'nodes.any': 'Any computer',
  'nodes.runs-now': 'Runs on {name} now.',
  'nodes.next-start': 'Takes effect at the next start.',

  'nodes.lost-title': '{name} can’t be reached',
  'nodes.lost-text':
    'This server was running on {name}. It may still run there, but can’t be seen or stopped from here. It is shown again once {name} is back.',
  'nodes.lost-since': 'It has been unreachable since {time}.',
  'nodes.lost-ask': 'Its owner can start it on another computer.',
  'nodes.lost-start': 'Start elsewhere…',
  'nodes.lost-backups': 'You can also make a new server of its newest backup.',
  'nodes.lost-to-backups': 'Backups',
  'nodes.lost-do': 'Start elsewhere',
  'nodes.lost-confirm-title': 'Start {name} on another computer?',
  'nodes.lost-confirm':
    'First, it is checked for up to half a minute whether the server still writes to its folder. If it does, nothing is changed; then switch {node} off and try again.',
  'nodes.lost-risk':
    'What the server has not saved is lost. If it still runs on {node} with a folder of its own, there are two worlds from then on.',
} as const)
