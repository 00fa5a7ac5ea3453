import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { at, node24, nodeFlags } from '../../../build/scripts/project.js'
import type { UpdateChannel } from '../../contract/bridge/update-calls.ts'
import { noLog } from '../logging/log.ts'
import { LibraryEngine, updaterFor } from './library-engine.ts'
import { NodeHttp } from './node-http.fixture.ts'
import { type Installation, installation, programOf, updateFeed } from '../../../tests/doubles/update-feed.ts'
import { updateProblem } from './update-problem.ts'

afterEach(() => vi.unstubAllEnvs())

/** A version that is installed here, and what updates it. */
function engineOf(installed: Installation): LibraryEngine {
  vi.stubEnv('APPIMAGE', installed.program)
  const updater = updaterFor('appimage', installed.app)
  Object.assign(updater, { httpExecutor: new NodeHttp() })
  return new LibraryEngine({ updater, installer: 'appimage', log: noLog })
}
/** What lies beside the program under a name made of its own. */
const besides = ({ folder }: Installation) =>
  readdirSync(folder).filter((name) => name.startsWith('Wheelhouse.AppImage.'))
const never = () => new AbortController().signal
const nobody = () => undefined

async function found(engine: LibraryEngine, channel: UpdateChannel = 'stable') {
  return (await engine.check(channel))?.version ?? null
}

/** The problem a person is told; fails where nothing went wrong. */
async function problemOf(step: 'check' | 'download', work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => expect.fail('Nothing went wrong.'),
    (thrown: unknown) => thrown,
  )
  return updateProblem(step, error).text?.key
}

describe('looking for a newer version', () => {
  it('finds it, with what it says of itself', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0', { releaseNotes: '<h2>New</h2><ul><li>Tray &amp; alerts</li></ul>' })
    const engine = engineOf(await installation(feed.url, '1.0.0'))
    expect(await engine.check('stable')).toEqual({
      version: '1.1.0',
      notes: 'New\n\n- Tray & alerts',
      releasedAt: '2026-11-20T10:00:00.000Z',
      size: programOf('1.1.0').length,
    })
  })

  it('never goes back to an older version, whatever the channel', async () => {
    const feed = await updateFeed()
    feed.release('0.9.0')
    const engine = engineOf(await installation(feed.url, '1.0.0-beta.2'))
    for (const channel of ['stable', 'beta', 'stable'] as const)
      expect(await found(engine, channel)).toBeNull()
  })

  it('asks for the channel that was chosen', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0', { channels: ['latest'] })
    feed.release('1.2.0-beta.1', { channels: ['beta'] })
    const engine = engineOf(await installation(feed.url, '1.0.0'))
    expect(await found(engine, 'beta')).toBe('1.2.0-beta.1')
    expect(await found(engine, 'stable')).toBe('1.1.0')
  })

  it('is left out of a release that is for a part of the computers only', async () => {
    const feed = await updateFeed()
    const installed = await installation(feed.url, '1.0.0')
    feed.release('1.1.0', { stagingPercentage: 40 })
    // The library's number of this computer: its last four bytes say which part it is of.
    const id = (last: string) =>
      writeFileSync(join(installed.folder, '.updaterId'), `2f3f3a4a-1b1a-5c5c-9d9d-0000${last}`)
    id('7fffffff')
    expect(await found(engineOf(installed))).toBeNull()
    id('3fffffff')
    expect(await found(engineOf(installed))).toBe('1.1.0')
  })

  it('says why it could not look', async () => {
    const feed = await updateFeed()
    const engine = engineOf(await installation(feed.url, '1.0.0'))
    expect(await problemOf('check', engine.check('stable'))).toBe('update.no-release')
    feed.files.set('latest-linux.yml', (_request, response) => response.writeHead(503).end())
    expect(await problemOf('check', engine.check('stable'))).toBe('update.server-failed')
    feed.files.set('latest-linux.yml', (request) => request.socket.destroy())
    expect(await problemOf('check', engine.check('stable'))).toBe('update.unreachable')
    feed.files.set('latest-linux.yml', Buffer.from('<html>: : not what was asked for'))
    expect(await problemOf('check', engine.check('stable'))).toBe('update.unreadable')
  })

  it('believes no release whose files cannot be checked, or come unencrypted from elsewhere', async () => {
    const feed = await updateFeed()
    const engine = engineOf(await installation(feed.url, '1.0.0'))
    feed.release('1.1.0', { file: { sha512: '' } })
    expect(await problemOf('check', engine.check('stable'))).toBe('update.unreadable')
    feed.release('1.1.0', { file: { url: 'http://elsewhere.example/Wheelhouse.AppImage' } })
    expect(await problemOf('check', engine.check('stable'))).toBe('update.unreadable')
  })
})

describe('an update', () => {
  it('is downloaded, tells how far it is, and takes the place of the old version in one step', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const engine = engineOf(installed)
    const told: number[] = []
    await engine.check('stable')
    await engine.download(({ received }) => told.push(received), never())
    expect(told.at(-1)).toBe(programOf('1.1.0').length)
    expect(readFileSync(installed.program)).toEqual(programOf('1.0.0', 10))

    // Started only once this program is gone, by whoever ends it.
    expect(engine.install(true)).toBe(true)
    expect(readFileSync(installed.program)).toEqual(programOf('1.1.0'))
    expect((await stat(installed.program)).mode & 0o777).toBe(0o755)
    expect(besides(installed)).toEqual([])
  })

  it('is discarded where it is not what was released', async () => {
    const feed = await updateFeed()
    const name = feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const engine = engineOf(installed)
    await engine.check('stable')
    feed.files.set(name, programOf('6.6.6'))
    expect(await problemOf('download', engine.download(nobody, never()))).toBe('update.wrong-checksum')
    expect(readdirSync(installed.pending)).toEqual([])
    expect(() => engine.install(false)).toThrow()
    expect(readFileSync(installed.program)).toEqual(programOf('1.0.0', 10))
  })

  it('begins anew after its download broke off', async () => {
    const feed = await updateFeed()
    const name = feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const engine = engineOf(installed)
    await engine.check('stable')
    const whole = programOf('1.1.0')
    feed.files.set(name, (request, response) => {
      response.writeHead(200, { 'content-length': whole.length })
      response.write(whole.subarray(0, 100_000), () => request.socket.destroy())
    })
    expect(await problemOf('download', engine.download(nobody, never()))).toBe('update.cut-off')
    feed.files.set(name, whole)
    await engine.download(nobody, never())
    engine.install(false)
    expect(readFileSync(installed.program)).toEqual(whole)
  })

  it('can be given up while it is downloaded, and begun once more right away', async () => {
    const feed = await updateFeed()
    const name = feed.release('1.1.0')
    const engine = engineOf(await installation(feed.url, '1.0.0'))
    await engine.check('stable')
    const whole = programOf('1.1.0')
    const givenUp = new AbortController()
    feed.files.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': whole.length })
      response.write(whole.subarray(0, 100_000), () => givenUp.abort())
    })
    const first = engine.download(nobody, givenUp.signal)
    await expect(first).rejects.toThrow('aborted')
    feed.files.set(name, whole)
    await engine.download(nobody, never())
  })

  it('is not downloaded again where the panel ended before it was installed', async () => {
    const feed = await updateFeed()
    const name = feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const first = engineOf(installed)
    await first.check('stable')
    await first.download(nobody, never())
    const second = engineOf(installed)
    await second.check('stable')
    await second.download(nobody, never())
    expect(feed.asked.filter((asked) => asked === name)).toHaveLength(1)
    second.install(false)
    expect(readFileSync(installed.program)).toEqual(programOf('1.1.0'))
  })

  it('leaves the old version where the new one cannot be put beside it', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const engine = engineOf(installed)
    await engine.check('stable')
    await engine.download(nobody, never())
    // The file that was downloaded is gone, as by somebody who cleans up caches.
    rmSync(installed.pending, { recursive: true })
    expect(() => engine.install(true)).toThrow()
    expect(readFileSync(installed.program)).toEqual(programOf('1.0.0', 10))
  })

  it('is installed where a kill left half of an earlier one', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    await mkdir(installed.pending, { recursive: true })
    writeFileSync(join(installed.pending, 'temp-Wheelhouse-1.1.0.AppImage'), 'half of it')
    const engine = engineOf(installed)
    await engine.check('stable')
    await engine.download(nobody, never())
    engine.install(false)
    expect(readFileSync(installed.program)).toEqual(programOf('1.1.0'))
  })

  it('leaves the old version where the panel is killed while it downloads, and is fetched whole the next time', async () => {
    const feed = await updateFeed()
    const name = feed.release('1.1.0')
    const installed = await installation(feed.url, '1.0.0')
    const whole = programOf('1.1.0')
    const half = Promise.withResolvers<void>()
    feed.files.set(name, (_request, response) => {
      response.writeHead(200, { 'content-length': whole.length })
      response.write(whole.subarray(0, 100_000), () => half.resolve())
    })
    const program = at('tests/doubles/programs/updating-panel.ts')
    const child = spawn(node24(), [...nodeFlags, program, JSON.stringify(installed.app)], {
      env: { ...process.env, APPIMAGE: installed.program },
      stdio: 'ignore',
    })
    const ended = once(child, 'close')
    await half.promise
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(readFileSync(installed.program)).toEqual(programOf('1.0.0', 10))

    feed.files.set(name, whole)
    const engine = engineOf(installed)
    await engine.check('stable')
    await engine.download(nobody, never())
    engine.install(false)
    expect(readFileSync(installed.program)).toEqual(whole)
  })

  it('is found by the updaters of Windows and of packages too', async () => {
    const feed = await updateFeed()
    feed.release('1.1.0')
    for (const installer of ['nsis', 'deb', 'rpm'] as const) {
      const installed = await installation(feed.url, '1.0.0')
      const updater = updaterFor(installer, installed.app)
      Object.assign(updater, { httpExecutor: new NodeHttp() })
      const engine = new LibraryEngine({ updater, installer, log: noLog })
      onTestFinished(() => void updater.removeAllListeners())
      expect(await found(engine)).toBe('1.1.0')
      expect(engine.installs).toBe(installer === 'nsis' ? 'quietly' : 'with-password')
      expect(updater.autoInstallOnAppQuit).toBe(false)
    }
  })
})
