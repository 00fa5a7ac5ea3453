import { loaded } from '../base/loaded.ts'

export const sftp = loaded({
  'rcon.title': 'Console commands',
  'rcon.text':
    'Commands reach the game by RCON, through SSH. Set enable-rcon, rcon.password and rcon.port in server.properties and restart the server.',
  'rcon.plain': 'If the host makes no connections through SSH, send them without encryption',
  'rcon.plain-text':
    'RCON’s password can then be read on the way, and whoever has it controls the server. Use one that you use nowhere else.',

  'power-line.title': 'Start and stop',
  'power-line.text':
    'Commands that start and stop the game on its machine. Each is shown again before it runs there as {user}. They are kept on this computer only.',
  'power-line.start': 'Start command',
  'power-line.stop': 'Stop command',
  'power-line.restart': 'Restart command',
  'power-line.saved': 'Commands saved',
  'power-line.unchanged': 'Nothing was changed.',
  'power-line.ask-start': 'Run this to start the server?',
  'power-line.ask-stop': 'Run this to stop the server?',
  'power-line.ask-restart': 'Run this to restart the server?',
  'power-line.where': 'It runs as {user} on {host}.',
  'power-line.run': 'Run',
} as const)
