import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { LineSplitter } from '../../runtime/programs/line-splitter.ts'
import { addCommands } from './commands.ts'
import { createSquid, mendSaving, takeTransfers } from './flying-squid.ts'
import type { SquidPlayer } from './flying-squid.ts'

/** Runs in the server's folder, with JSON settings as its first argument. */
const started = performance.now()

const settings = z
  .object({
    host: z.string(),
    port: z.number().int(),
    version: z.string(),
    name: z.string(),
    maxPlayers: z.number().int(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'))

function print(text: string, level: 'INFO' | 'WARN' | 'ERROR' = 'INFO'): void {
  const prefix = `[${new Date().toTimeString().slice(0, 8)} ${level}]: `
  // One line only: a second could pass for the server's own.
  process.stdout.write(prefix + stripVTControlCharacters(text).replaceAll('\n', ' ') + '\n')
}

print(`Starting minecraft server version ${settings.version}`)
print(`Starting Minecraft server on ${settings.host}:${settings.port}`)
print('Preparing level "world"')
mkdirSync('world', { recursive: true })

const squid = createSquid({
  host: settings.host,
  port: settings.port,
  version: settings.version,
  motd: settings.name,
  'max-players': settings.maxPlayers,
  // Works without the internet.
  'online-mode': false,
  logging: false,
  gameMode: 1,
  difficulty: 1,
  worldFolder: './world',
  generation: { name: 'superflat', options: { worldHeight: 80 } },
  kickTimeout: 10_000,
  plugins: {},
  modpe: false,
  'view-distance': 2,
  'player-list-text': { header: { text: settings.name }, footer: { text: '' } },
  'everybody-op': false,
  'max-entities': 100,
})

const SAID =
  /^(?:Server listening on|World seed|Server is closed|Server shutting down|Position written|\[CHAT\]|Kicking )|\) connected$| disconnected$| kicked | banned /
squid.log = () => undefined
squid.info = (text) => {
  const plain = stripVTControlCharacters(String(text))
  if (!SAID.test(plain)) print(plain.replace(/^(\S+) issued command: /, '$1 issued server command: '))
}
squid.warn = (text) => print(String(text), 'WARN')
squid.err = (text) => print(String(text), 'ERROR')

const SETTINGS = 'server.properties'
if (existsSync(SETTINGS) && /^accepts-transfers=true$/m.test(readFileSync(SETTINGS, 'utf8')))
  takeTransfers(squid)

let stopping = false
const ready = new Promise<void>((resolve) => squid.once('ready', resolve))

async function save(): Promise<void> {
  await Promise.all(squid.players.map((player) => player.save()))
  await squid.overworld.saveNow()
}

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await ready
  print('Stopping server')
  print('Saving players')
  for (const player of [...squid.players]) player.kick('Server closed')
  print('Saving worlds')
  await save()
  // Let players receive the reason.
  for (let turns = 0; squid.players.length > 0 && turns < 20; turns++) await wait(50)
  print("Saving chunks for level 'world'/minecraft:overworld")
  await squid.overworld.saveNow()
  process.stdout.write('', () => process.exit(0))
}

addCommands(squid, { print, maxPlayers: settings.maxPlayers, save, stop })

squid.on('newPlayer', (player: SquidPlayer) => {
  const { socket } = player._client
  player.on('connected', () => {
    print(
      `${player.username}[/${socket?.remoteAddress}:${socket?.remotePort}] logged in with entity id ${player.id}`,
    )
    print(`${player.username} joined the game`)
  })
  player.on('disconnected', () => {
    if (player.username) print(`${player.username} left the game`)
  })
  takeOver()
})

/** Errors in packets or commands are logged; flying-squid would exit as if asked to. */
function takeOver(): void {
  process.removeAllListeners('uncaughtException')
  process.removeAllListeners('unhandledRejection')
  const tell = (error: unknown) =>
    print(error instanceof Error ? (error.stack ?? error.message) : String(error), 'ERROR')
  process.on('uncaughtException', tell)
  process.on('unhandledRejection', tell)
}

squid.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES' && error.code !== 'EADDRNOTAVAIL') return
  print('**** FAILED TO BIND TO PORT!', 'ERROR')
  print(`The exception was: ${error.message}`, 'ERROR')
  process.exit(1)
})

squid.once('ready', () => {
  mendSaving(squid.overworld)
  takeOver()
  // flying-squid's handlers would exit before saving.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => void stop())
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(3)
  print(`Done (${seconds}s)! For help, type "help"`)
})

function obey(line: string): void {
  const command = line.trim().replace(/^\//, '')
  if (command === '') return
  if (!squid.commands.find(command)) return print('Unknown command. Type "help" for help.')
  squid.commands.use(command).then(
    (text) => {
      if (text) print(text)
    },
    (error: unknown) => print(error instanceof Error ? error.message : String(error), 'ERROR'),
  )
}

// Node's readline also splits at U+2028, making two commands of one.
const commands = new LineSplitter()
process.stdin.on('data', (piece: Buffer) => commands.push(piece).forEach(obey))
// The service is gone; nobody else could stop this server cleanly.
process.stdin.on('end', () => void stop())
process.stdout.on('error', () => undefined)
