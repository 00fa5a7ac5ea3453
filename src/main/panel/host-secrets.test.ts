import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Exaroton, KEY as EXAROTON_KEY } from '../../../tests/doubles/hosts/exaroton.ts'
import { KEY as PANEL_KEY, PterodactylPanel } from '../../../tests/doubles/hosts/pterodactyl/panel.ts'
import { OddSshServer, PASSWORD, USER } from '../../../tests/doubles/hosts/sftp/ssh-server.ts'
import { sftpToken } from '../../contract/rules/sftp.ts'
import { temporary } from '../../host/temporary.fixture.ts'
import { openLog } from '../logging/open-log.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { keeping } from './pterodactyl.fixture.ts'
import { createPanel } from './panel.ts'

interface TracedHost {
  baseUrl: string
  serverId: string
  secret: string
  /** Where a request had its key, of all that came; and whatever else came, at any origin of the host. */
  keys: () => (string | null)[]
  others: () => string
  /** From here on it refuses everything, and repeats what it was asked with. */
  echo: () => void
  close: () => Promise<void>
}

const KINDS: Record<'pterodactyl' | 'exaroton' | 'sftp', (files: string) => Promise<TracedHost>> = {
  async pterodactyl(files) {
    const host = await PterodactylPanel.open()
    return {
      ...{ baseUrl: host.base, serverId: host.add(files).uuid, secret: PANEL_KEY },
      keys: () => host.seen.map(({ authorization }) => authorization),
      others: () => JSON.stringify([host.seen.map(({ path: to }) => to), host.wings.heard]),
      echo: () => {
        host.instead = ({ headers }) => ({
          status: 403,
          body: { errors: [{ code: 'x', detail: `No: ${headers.authorization}` }] },
        })
      },
      close: () => host.close(),
    }
  },
  async exaroton(files) {
    const host = await Exaroton.open()
    return {
      ...{ baseUrl: host.base, serverId: host.add(files).id, secret: EXAROTON_KEY },
      keys: () => host.seen.map(({ authorization }) => authorization),
      others: () => JSON.stringify(host.seen.map(({ path: to, body }) => [to, body])),
      echo: () => {
        const error = () => `No: ${host.seen.at(-1)?.authorization}`
        host.instead = () => ({ status: 403, body: { success: false, error: error(), data: null } })
      },
      close: () => host.close(),
    }
  },
  async sftp() {
    const host = await OddSshServer.open()
    host.names = ['a.txt']
    return {
      ...{ baseUrl: `sftp://${USER}@127.0.0.1:${host.port}`, serverId: 'server', secret: PASSWORD },
      ...{ keys: () => [], others: () => '', echo: () => void (host.names = ['..']) },
      close: () => host.close(),
    }
  },
}

const filesIn = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => [file, readFileSync(file)])

test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
  '%s: over a whole run the key is in the keychain and in what its own origin is asked with, nowhere else',
  async (kind) => {
    const folder = temporary()
    const [data, files, downloads] = ['data', 'files', 'downloads'].map((name) => path.join(folder, name))
    for (const made of [data!, path.join(files!, 'logs'), downloads!]) mkdirSync(made, { recursive: true })
    writeFileSync(path.join(files!, 'large.log'), Buffer.alloc(5 * 1024 * 1024, 'x'))
    const host = await KINDS[kind](files!)
    onTestFinished(() => host.close())
    const log = openLog({ folder: path.join(data!, 'logs'), level: 'debug' })
    const ports = { ...testPorts(data!), secrets: keeping(), log, downloadsFolder: downloads! }
    const panel = await createPanel(ports)
    const { call, view, seen } = openWindow(panel)
    const said: unknown[] = []
    const tried = (asked: Promise<unknown>) =>
      asked
        .then((value) => said.push(value))
        .catch((error: unknown) => {
          said.push([String(error), (error as { problem?: unknown }).problem])
        })
    const { baseUrl, secret, serverId } = host
    const hostKey = kind === 'sftp' ? await call('connections.host-key', { baseUrl }) : ''
    const token = (text: string) => (kind === 'sftp' ? sftpToken({ secret: text, hostKey }) : text)
    const { id: connectionId } = await call('connections.use-token', { baseUrl, token: token(secret) })
    await tried(call('connections.use-token', { baseUrl: `${baseUrl}/none`, token: token(secret) }))
    const ref = { connectionId, serverId }
    const at = { connectionId, params: { serverId } }
    const use = async () => {
      await tried(view('servers.list', { connectionId }, true))
      await tried(view('files.list', { ...at, query: { path: '' } }, true))
      await tried(view('players.list', at, true))
      await tried(view('backups.list', at, true))
      await tried(call('console.watch', { ...ref, limit: 0 }))
      await tried(call('console.command', { ...ref, command: 'say hi' }))
      await tried(call('files.read-text', { ...ref, path: 'large.log' }))
      await tried(call('files.write-text', { ...ref, path: 'a.txt', text: 'x', base: { kind: 'create' } }))
    }
    await use()
    const before = host.keys().length
    host.echo()
    await use()
    if (kind !== 'sftp') {
      expect(host.keys().length).toBeGreaterThan(before)
      expect(JSON.stringify(said)).toContain('No: ')
    }
    said.push(await call('diagnostics.read', { hosts: true }))
    await call('settings-transfer.save', undefined)
    // Whoever logs it by mistake.
    log.warn('the event stream failed', { error: new Error(`No: ${secret}`) })
    await log.flush()
    await panel.close()
    await log.close()

    expect(host.keys().filter((one) => one !== null && one !== `Bearer ${secret}`)).toEqual([])
    expect(host.others().includes(secret), 'addresses, bodies and other origins').toBe(false)
    expect(JSON.stringify([said, seen]).includes(secret), 'what windows are told').toBe(false)
    expect(existsSync(path.join(data!, 'logs/panel.log'))).toBe(true)
    const written = [...filesIn(data!), ...filesIn(downloads!)]
    expect(written.length).toBeGreaterThan(3)
    for (const [file, bytes] of written)
      for (const form of [secret, token(secret)]) expect(bytes.includes(form), file).toBe(false)
  },
)
