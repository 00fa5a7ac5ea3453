import { expect, test } from 'vitest'
import { offerQuilt, offerVanilla } from '../../../../../tests/doubles/catalogs/catalog-answers.ts'
import { isAsPromised, kinds } from './catalogs.fixture.ts'

const offered = async (beside?: string[]) => {
  const all = await kinds()
  offerVanilla(all.server, [{ id: '1.21.11', java: 21 }])
  offerQuilt(
    all.server,
    [
      { version: '26.1-snapshot-1', stable: false },
      { version: '1.21.11', stable: true },
    ],
    ['0.29.2', '0.30.0-beta.2', '0.30.0-beta.10'],
    [{ version: '0.12.1', beside }, { version: '0.9.2' }, { version: '0.13.0-beta.1' }],
  )
  return all
}

test('lists versions of the game and of the loader, betas as such', async () => {
  const { quilt, signal } = await offered()
  expect(await quilt.versions(signal)).toEqual([
    { id: '26.1-snapshot-1', channel: 'snapshot' },
    { id: '1.21.11', channel: 'release', recommended: true },
  ])
  expect((await quilt.builds('1.21.11', signal)).map(({ id, channel }) => `${id} ${channel}`)).toEqual([
    '0.30.0-beta.10 experimental',
    '0.30.0-beta.2 experimental',
    '0.29.2 release',
  ])
})

test.for([['sha256', ['sha256', 'sha1']] as const, ['sha1', ['sha1']] as const])(
  'takes its newest finished installer, with the %s that lies beside it',
  async ([algorithm, beside]) => {
    const { quilt, signal } = await offered([...beside])
    const release = await quilt.release('1.21.11', null, signal)
    expect(release).toMatchObject({
      build: '0.29.2',
      java: { major: 21, exact: false },
      file: { name: 'quilt-installer-0.12.1.jar', checksum: { algorithm } },
      form: 'installer',
    })
    expect(await isAsPromised(release.file)).toBe(true)
  },
)

test('an installer without a checksum is not run, and a checksum that is none is not believed', async () => {
  const without = await offered([])
  await expect(without.quilt.release('1.21.11', null, without.signal)).rejects.toMatchObject({
    status: 502,
    code: 'software.catalogue-missing',
  })
  const wrong = await offered()
  wrong.server.put(
    '/quilt/repository/release/org/quiltmc/quilt-installer/0.12.1/quilt-installer-0.12.1.jar.sha256',
    '<html>Sign in to this network</html>',
  )
  await expect(wrong.quilt.release('1.21.11', null, wrong.signal)).rejects.toMatchObject({
    code: 'software.catalogue-unreadable',
  })
})

test('refuses a version or a loader that is not listed', async () => {
  const { quilt, signal } = await offered()
  await expect(quilt.builds('1.0', signal)).rejects.toMatchObject({ code: 'software.version-not-known' })
  await expect(quilt.release('1.21.11', '1.0', signal)).rejects.toMatchObject({
    code: 'software.build-not-known',
  })
})
