import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sftpToken } from '../../src/contract/rules/sftp.ts'
import { HostRefusal, type HostSecretName } from '../../src/hosts/base/adapter.ts'
import { PanelFiles } from '../../src/hosts/pterodactyl/files.ts'
import { PanelApi } from '../../src/hosts/pterodactyl/panel-api.ts'
import { PanelSftp } from '../../src/hosts/pterodactyl/panel-sftp.ts'
import { MachineSecrets } from '../../src/hosts/pterodactyl/machine-secrets.ts'
import { PanelSshKey } from '../../src/hosts/pterodactyl/ssh-key.ts'
import { PanelServers } from '../../src/hosts/pterodactyl/servers.ts'
import { isCut } from '../../src/hosts/sftp/delivery.ts'
import { SftpFiles } from '../../src/hosts/sftp/files.ts'
import { ServerFolder } from '../../src/hosts/sftp/folder.ts'
import { hostKeyAt } from '../../src/hosts/sftp/host-key.ts'
import { SshLink } from '../../src/hosts/sftp/link.ts'
import { SftpWriting } from '../../src/hosts/sftp/writing.ts'
import { makeDispatcher } from '../../src/main/api/requests/transport.ts'
import { KEY, PterodactylPanel } from '../doubles/hosts/pterodactyl/panel.ts'
import { NO_SFTP, startSftp } from '../fixtures/sftp-server.ts'
import type { Case } from './case.ts'
import { Line } from './line.ts'
import { type Expected, makeFile } from './tree.ts'
import { sha256Of } from './watch.ts'

const MIB = 1024 * 1024
const CUTS_PER_FILE = 3
const TRIES_MOST = 20
const CLEAN_MS = 20_000

interface Host {
  /** Where files arrive. */
  folder: string
  line: Line
  write(sent: { path: string; file: Readable; sha256: string; modifiedAt: string }): Promise<unknown>
}

/**
 * The line of uploads over SFTP is cut at random, to OpenSSH and to a machine that empties what is opened again (a
 * stand-in for Wings): no byte is wrong, nothing has a name before it is whole, and nothing stays behind.
 */
export async function hostUploadsCut(it: Case): Promise<void> {
  if (NO_SFTP) it.skipped.push(`OpenSSH: ${NO_SFTP}.`)
  else await cutUploads(it, 'OpenSSH', await openSsh(it))
  await cutUploads(it, 'Wings', await wings(it))
}

async function cutUploads(it: Case, what: string, { folder, line, write }: Host): Promise<void> {
  const { chance, stage } = it
  const least = it.tried + (it.long ? 50 : 6)
  let files = 0
  let tries = 0
  for (; it.tried < least; files++) {
    const size = chance.between(1, 8 * MIB)
    const [name, expected] = await makeFile(stage.at('from'), `${what} ${files}.bin`, size, chance)
    const target = path.join(folder, name)
    let cuts = 0
    const arm = () =>
      void line.after(chance.between(1, size), chance.next() < 0.3 ? 'answer' : 'up', () => {
        it.tried++
        line.cut(chance.next() < 0.3 ? chance.between(1, 2) : 0)
        if (++cuts < CUTS_PER_FILE) arm()
      })
    // The first one finds the way in.
    if (files > 0) arm()
    for (let again = 0; ; again++) {
      tries++
      const file = createReadStream(path.join(stage.at('from'), name))
      const modifiedAt = new Date(expected.modifiedAt).toISOString()
      try {
        await write({ path: name, file, sha256: expected.sha256, modifiedAt })
        break
      } catch (error) {
        file.destroy()
        // As the queue does.
        const passes = isCut(error) || (error instanceof HostRefusal && error.status >= 500)
        if (!passes || again === TRIES_MOST) throw error
        await expectWhole(it, target, expected)
      }
    }
    line.disarm()
    await expectWhole(it, target, expected, true)
  }
  const left = async () => (await readdir(folder)).filter((name) => name.includes('.wheelhouse-'))
  const late = performance.now() + CLEAN_MS
  while ((await left()).length > 0 && performance.now() < late) await wait(100)
  for (const name of await left()) it.wrong.push(`${name} was left behind.`)
  it.note(`${what}: ${files} files in ${tries} attempts`)
}

/** Whatever has its name is whole. */
async function expectWhole(it: Case, file: string, { size, sha256 }: Expected, isDue = false): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found) return void (isDue && it.lost.push(file))
  if (found.size !== size || (await sha256Of(file)) !== sha256) it.half.push(file)
}

async function openSsh({ stage }: Case): Promise<Host> {
  const place = stage.at('openssh')
  const folder = path.join(place, 'server')
  await mkdir(folder, { recursive: true })
  const host = await startSftp(place)
  stage.atEnd(() => host.close())
  const key = path.join(place, 'own-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  await host.accept(await readFile(`${key}.pub`, 'utf8'))
  const line = await Line.open('127.0.0.1', () => host.port)
  stage.atEnd(() => line.close())
  const at = { host: '127.0.0.1', port: line.port, user: host.user, folder }
  const { dial } = makeDispatcher()
  const link = new SshLink(at, dial)
  stage.atEnd(() => Promise.resolve(link.close()))
  const token = sftpToken({ secret: await readFile(key, 'utf8'), hostKey: await hostKeyAt(at, dial) })
  const caller = { key: token, signal: new AbortController().signal }
  const root = new ServerFolder(folder)
  const writing = new SftpWriting(link, root, new SftpFiles(link, root))
  return {
    ...{ folder, line },
    write: ({ path: to, file, sha256, modifiedAt }) =>
      writing.write(
        { path: to, bytes: file, mustBeNew: false, modifiedAt, sha256: () => Promise.resolve(sha256) },
        caller,
      ),
  }
}

async function wings({ stage }: Case): Promise<Host> {
  const folder = stage.at('wings')
  await mkdir(folder)
  const host = await PterodactylPanel.open()
  stage.atEnd(() => host.close())
  const line = await Line.open('127.0.0.1', () => host.sftp.port)
  stage.atEnd(() => line.close())
  host.sftpPort = line.port
  const server = host.add(folder)
  const dispatcher = makeDispatcher()
  stage.atEnd(() => dispatcher.destroy())
  const api = new PanelApi(host.base, dispatcher)
  const kept = new Map<HostSecretName, string>()
  const secrets = {
    read: (name: HostSecretName) => Promise.resolve(kept.get(name) ?? null),
    write: (name: HostSecretName, value: string | null) =>
      Promise.resolve(kept.set(name, value ?? '').has(name)),
  }
  const access = { key: new PanelSshKey(api, secrets), secrets: new MachineSecrets(secrets) }
  const sftp = new PanelSftp(api, new PanelServers(api, () => new Set()), dispatcher.dial, access)
  stage.atEnd(() => Promise.resolve(sftp.close()))
  const files = new PanelFiles(api, sftp)
  const caller = { key: KEY, signal: new AbortController().signal }
  return {
    ...{ folder, line },
    write: ({ sha256, ...sent }) =>
      files.upload(
        server.uuid,
        { ...sent, conflict: 'replace', sha256: () => Promise.resolve(sha256) },
        caller,
      ),
  }
}
