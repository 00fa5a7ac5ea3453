import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { stringify } from 'yaml'
import { SmallDisk } from '../../../tests/faults/small-disk.ts'
import { noLog } from '../logging/log.ts'
import { LibraryEngine, updaterFor } from './library-engine.ts'
import { NodeHttp } from './node-http.fixture.ts'
import {
  type Installation,
  installation,
  programOf,
  type UpdateFeed,
  updateFeed,
} from '../../../tests/doubles/update-feed.ts'
import { updateProblem } from './update-problem.ts'

afterEach(() => vi.unstubAllEnvs())

function engineOf(installed: Installation): LibraryEngine {
  vi.stubEnv('APPIMAGE', installed.program)
  const updater = updaterFor('appimage', installed.app)
  Object.assign(updater, { httpExecutor: new NodeHttp() })
  return new LibraryEngine({ updater, installer: 'appimage', log: noLog })
}
const never = () => new AbortController().signal
const nobody = () => undefined
const problemOf = async (step: 'check' | 'download', work: Promise<unknown>) =>
  updateProblem(
    step,
    await work.then(
      () => expect.fail('Nothing went wrong.'),
      (error: unknown) => error,
    ),
  ).text?.key

/** Answers as GitHub does for the releases of a repository, the newest first. */
function releases(feed: UpdateFeed, versions: readonly string[]): void {
  const entries = versions.map(
    (version) =>
      `<entry><id>tag:${version}</id><title>v${version}</title><link rel="alternate" type="text/html" href="https://github.com/ann/w/releases/tag/v${version}"/><content type="html">&lt;p&gt;New in ${version}&lt;/p&gt;</content></entry>`,
  )
  const atom = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`
  feed.files.set('ann/w/releases.atom', Buffer.from(atom))
  // What GitHub calls the latest is never one that is marked as a version before another.
  const stable = versions.find((version) => !version.includes('-'))
  if (stable) {
    const latest = Buffer.from(JSON.stringify({ tag_name: `v${stable}` }))
    feed.files.set('api/v3/repos/ann/w/releases/latest', latest)
  }
  for (const version of versions) {
    const name = feed.release(version, { channels: version.includes('-') ? ['beta'] : ['latest', 'beta'] })
    const at = `ann/w/releases/download/v${version}`
    feed.files.set(`${at}/${name}`, feed.files.get(name)!)
    for (const channel of ['latest', 'beta']) {
      const file = `${channel}${process.arch === 'arm64' ? '-linux-arm64' : '-linux'}.yml`
      const text = feed.files.get(file)
      if (text) feed.files.set(`${at}/${file}`, text)
    }
  }
}

/** A version that looks for updates among the releases of a repository. */
async function fromGitHub(feed: UpdateFeed, version: string): Promise<Installation> {
  const installed = await installation(feed.url, version)
  const { host } = new URL(feed.url)
  const config = {
    provider: 'github',
    owner: 'ann',
    repo: 'w',
    host,
    protocol: 'http',
    updaterCacheDirName: 'updates',
  }
  await writeFile(installed.app.appUpdateConfigPath, stringify(config))
  return installed
}

it.runIf(process.platform === 'linux')(
  'a release of GitHub is found, downloaded and installed, and its notes are shown',
  async () => {
    const feed = await updateFeed()
    releases(feed, ['1.1.0'])
    const installed = await fromGitHub(feed, '1.0.0')
    const engine = engineOf(installed)
    expect(await engine.check('stable')).toMatchObject({ version: '1.1.0', notes: 'New in 1.1.0' })
    await engine.download(nobody, never())
    engine.install(false)
    expect(await readFile(installed.program)).toEqual(programOf('1.1.0'))
    expect(feed.asked).toContain('ann/w/releases/download/v1.1.0/Wheelhouse-1.1.0.AppImage')
  },
)

it.runIf(process.platform === 'linux')('each channel is given what GitHub has for it', async () => {
  const feed = await updateFeed()
  releases(feed, ['1.2.0-beta.1', '1.1.0'])
  const engine = engineOf(await fromGitHub(feed, '1.0.0'))
  expect(await engine.check('stable')).toMatchObject({ version: '1.1.0' })
  expect(await engine.check('beta')).toMatchObject({ version: '1.2.0-beta.1' })
  // Whoever has the newer one is not led back.
  expect(await engineOf(await fromGitHub(feed, '1.2.0-beta.1')).check('stable')).toBeNull()
})

it.runIf(process.platform === 'linux')(
  'a repository without a release says why nothing was found',
  async () => {
    const feed = await updateFeed()
    releases(feed, [])
    const engine = engineOf(await fromGitHub(feed, '1.0.0'))
    expect(await problemOf('check', engine.check('stable'))).toBe('update.no-release')
  },
)

it('on a disk that is really full half of it is told and the old version stays', async (test) => {
  const feed = await updateFeed()
  feed.release('1.1.0')
  const plain = await installation(feed.url, '1.0.0')
  const stage = {
    at: (...parts: string[]) => join(plain.folder, ...parts),
    atEnd: (end: () => unknown) => onTestFinished(async () => void (await end())),
  }
  const disk = await SmallDisk.mount(stage, 'disk', 4)
  if (!disk) return test.skip('No disk can be mounted here.')
  const cache = join(disk.folder, 'cache')
  await mkdir(cache)
  const installed = { ...plain, cache, app: { ...plain.app, baseCachePath: cache } }
  disk.fill(100_000)
  const engine = engineOf(installed)
  await engine.check('stable')
  expect(await problemOf('download', engine.download(nobody, never()))).toBe('update.disk-full')
  expect(await readFile(installed.program)).toEqual(programOf('1.0.0', 10))
  disk.clear()
  await engine.download(nobody, never())
  engine.install(false)
  expect(await readFile(installed.program)).toEqual(programOf('1.1.0'))
})
