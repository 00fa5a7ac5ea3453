import { expect, it } from 'vitest'
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
