import { chmod, mkdir, mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { LineChannel, listenForPanels, reachService } from './background-socket.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'background-socket-'))
  onTestFinished(() => rm(dataDir, { recursive: true, maxRetries: 5 }))
})

/** A service that listens, and the panels that it let in. */
async function listening(folder = dataDir) {
  const panels: LineChannel[] = []
  const server = createServer((socket) => void panels.push(new LineChannel(socket)))
  const socket = await listenForPanels(server, folder)
  const close = () => {
    for (const panel of panels.splice(0)) panel.hangUp()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(() => void close())
  return { socket, close }
}

const reached = async (socket: string, pid = process.pid) => {
  const channel = await reachService({ socket, pid, version: 'test' })
  channel?.hangUp()
  return channel !== null
}

it('listens in the data folder, where nobody else can connect', async () => {
  const { socket } = await listening()
  expect(dirname(socket)).toBe(dataDir)
  expect((await stat(socket)).mode & 0o777).toBe(0o600)
  expect(await reached(socket)).toBe(true)
})

it('takes the place of what a killed service left', async () => {
  await mkdir(join(dataDir, 'background.sock'))
  const { socket } = await listening()
  expect(await reached(socket)).toBe(true)
})

it.each([
  ['whose path is too long for a socket', 'a'.repeat(100), 0o700],
  ['that others can enter', 'shared', 0o755],
])('listens in a folder of its own beside a data folder %s, and removes it', async (_what, name, mode) => {
  const folder = join(dataDir, name)
  await mkdir(folder)
  await chmod(folder, mode)
  const { socket, close } = await listening(folder)
  expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700)
  expect(await reached(socket)).toBe(true)
  await close()
  await expect(stat(dirname(socket))).rejects.toThrow('ENOENT')
})

it('does not connect where somebody else may listen', async () => {
  const { socket } = await listening()
  await chmod(socket, 0o666)
  expect(await reached(socket)).toBe(false)
  await chmod(socket, 0o600)
  await chmod(dataDir, 0o770)
  expect(await reached(socket)).toBe(false)
  await chmod(dataDir, 0o700)
  await rename(socket, `${socket}.other`)
  await symlink(`${socket}.other`, socket)
  expect(await reached(socket)).toBe(false)
})

it('hangs up on whoever sends something else than short messages', async () => {
  const { socket } = await listening()
  const ended = (sent: string) =>
    new Promise((resolve) => {
      const stranger = connect(socket, () => stranger.write(sent)).resume()
      stranger.on('error', () => undefined).on('close', resolve)
    })
  await ended('no message\n')
  await ended('x'.repeat(5_000_000))
})

it('does not connect once the process that listened is gone', async () => {
  const { socket } = await listening()
  expect(await reached(socket, 2 ** 22 + 1)).toBe(false)
})
