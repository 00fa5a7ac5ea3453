import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { at } from '../scripts/project.js'
import { feedArguments, feedOf, machineArguments, signingArguments } from './feed.js'

it('a build that is told no place of updates names none', () => {
  expect(feedArguments(feedOf({}, '1.0.0'))).toEqual([])
})

it('updates come from an https folder, or from the releases of the repository that builds', () => {
  expect(
    feedArguments(
      feedOf({ WHEELHOUSE_UPDATE_FEED: 'https://example.com/w/', GITHUB_REPOSITORY: 'a/b' }, '1.2.0'),
    ),
  ).toEqual([
    '-c.publish.provider=generic',
    '-c.publish.url=https://example.com/w/',
    '-c.publish.channel=latest',
  ])
  expect(feedOf({ GITHUB_REPOSITORY: 'ann/wheelhouse' }, '1.2.0')).toEqual({
    ...{ provider: 'github', owner: 'ann', repo: 'wheelhouse', releaseType: 'draft' },
  })
})

it.each([
  ['1.2.0', 'latest'],
  ['1.2.0-beta.1', 'beta'],
  ['1.2.0-rc.2', 'beta'],
  ['1.2.0-alpha.3', 'alpha'],
])('%s is for who gets %s', (version, channel) =>
  expect(feedOf({ WHEELHOUSE_UPDATE_FEED: 'https://example.com/w/' }, version)).toMatchObject({ channel }),
)

it.each([
  'http://example.com/',
  'example.com',
  'https://ann:secret@example.com/',
  'https://example.com/?token=1',
])('no update comes from %s', (address) =>
  expect(() => feedOf({ WHEELHOUSE_UPDATE_FEED: address }, '1.2.0')).toThrow('plain https address'),
)

it('a build that signs for Windows says who signs, or stops', () => {
  expect(signingArguments({})).toEqual([])
  expect(() => signingArguments({ WIN_CSC_LINK: 'file' })).toThrow('WHEELHOUSE_PUBLISHER')
  expect(signingArguments({ WIN_CSC_LINK: 'file', WHEELHOUSE_PUBLISHER: 'Ann' })).toContain(
    '-c.win.signtoolOptions.publisherName=Ann',
  )
})

it('a build is for the machine it is made on, and on macOS for both kinds', () => {
  expect(machineArguments('linux', 'arm64')).toEqual(['--arm64'])
  expect(machineArguments('darwin', 'arm64')).toContain('--universal')
})

it('a build that is signed for macOS is notarized too, or is none', () => {
  const key = { APPLE_API_KEY: 'key.p8', APPLE_API_KEY_ID: 'id', APPLE_API_ISSUER: 'issuer' }
  for (const missing of Object.keys(key))
    expect(() => signingArguments({ CSC_LINK: 'file', ...key, [missing]: undefined })).toThrow(
      'not notarized',
    )
  expect(signingArguments({ CSC_LINK: 'file', ...key })).toEqual([
    ...['-c.mac.notarize=true', '-c.mac.forceCodeSigning=true'],
  ])
})

// Neither is packed where it is developed: what is asked of electron-builder is all that can be held.
it('macOS gets both of its packages, hardened, and allowed what V8 needs and no more', async () => {
  const { mac, protocols } = parse(await readFile(at('build/electron-builder.yml'), 'utf8'))
  expect(mac).toMatchObject({ hardenedRuntime: true, target: ['dmg', 'zip'] })
  expect(mac.entitlementsInherit).toBe(mac.entitlements)
  const allowed = [
    ...(await readFile(at(mac.entitlements), 'utf8')).matchAll(/<key>([^<]+)<\/key>\s*<true\/>/g),
  ]
  expect(allowed.map(([, key]) => key).sort()).toEqual([
    'com.apple.security.cs.allow-jit',
    'com.apple.security.cs.allow-unsigned-executable-memory',
  ])
  expect(protocols).toEqual([{ name: 'Wheelhouse', schemes: ['wheelhouse'] }])
})

it('Windows gets an installer of a user for each processor, which leaves servers and worlds alone', async () => {
  const { win, nsis } = parse(await readFile(at('build/electron-builder.yml'), 'utf8'))
  expect(win.target).toEqual(['nsis'])
  expect(nsis).toMatchObject({
    ...{ oneClick: false, perMachine: false, allowElevation: false },
    ...{ buildUniversalInstaller: false, deleteAppDataOnUninstall: false },
  })
  expect(nsis.artifactName).toContain('${arch}')
})

it('Linux gets three kinds of packages, of which the AppImage keeps its name', async () => {
  const { linux, appImage, asar, electronLanguages, toolsets } = parse(
    await readFile(at('build/electron-builder.yml'), 'utf8'),
  )
  expect(linux).toMatchObject({ target: ['AppImage', 'deb', 'rpm'], syncDesktopName: true })
  expect(appImage.artifactName).not.toContain('version')
  // Of a runtime that turns the sandbox off where there could be one nobody would know.
  expect(toolsets).toEqual({ appimage: '1.0.3' })
  const built = await readFile(
    at('node_modules/app-builder-lib/out/targets/appimage/AppImageTarget.js'),
    'utf8',
  )
  expect(built).toMatch(/appimageTool === "0\.0\.0" \? \["--no-sandbox"\] : \[\]/)
  expect([asar, electronLanguages]).toEqual([true, ['en', 'en-GB', 'en-US', 'de']])
})
