import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signedIn } from './pterodactyl.fixture.ts'

test('files are compressed and extracted at the host, under the names that were asked for', async () => {
  const { call, until, files, ref, host } = await signedIn()
  mkdirSync(path.join(files, 'world/region'), { recursive: true })
  writeFileSync(path.join(files, 'world/region/r.mca'), 'region')
  writeFileSync(path.join(files, 'world/level.dat'), 'level')
  const slow = Promise.withResolvers<void>()
  host.wings.archiving = () => slow.promise
  const paths = ['world/region', 'world/level.dat']
  const packing = {
    ...ref,
    paths,
    to: 'my world.tar.gz',
    format: 'tar.gz' as const,
    conflict: 'refuse' as const,
  }
  await expect(call('files.archive', { ...packing, format: 'zip' })).rejects.toMatchObject({
    problem: { serviceCode: 'host.archive-format' },
  })
  const begun = await call('files.archive', packing)
  expect(begun).toMatchObject({ kind: 'archive', state: 'running', path: 'my world.tar.gz' })
  slow.resolve()
  await until('job', ({ job }) => job.id === begun!.id && job.state === 'done')
  expect(readdirSync(files).sort()).toEqual(['my world.tar.gz', 'world'])

  const archive = { ...ref, path: 'my world.tar.gz' }
  await expect(
    call('files.extract', { ...archive, to: 'world', conflict: 'keep-both' }),
  ).rejects.toMatchObject({
    problem: { serviceCode: 'host.extract-replaces' },
  })
  const other = await call('files.extract', { ...archive, to: 'other/place', conflict: 'keep-both' })
  await until('job', ({ job }) => job.id === other!.id && job.state === 'done')
  expect(readFileSync(path.join(files, 'other/place/region/r.mca'), 'utf8')).toBe('region')
  expect(readFileSync(path.join(files, 'other/place/level.dat'), 'utf8')).toBe('level')
})

test('a host that gives up waiting leaves open what became of the archive', async () => {
  const { call, until, files, ref, host } = await signedIn()
  writeFileSync(path.join(files, 'a.txt'), 'a')
  host.instead = ({ url }) =>
    url?.endsWith('/files/compress') ? { status: 524, html: '<html>A timeout occurred</html>' } : null
  const packing = { paths: ['a.txt'], to: 'a.tar.gz', format: 'tar.gz', conflict: 'refuse' } as const
  const begun = await call('files.archive', { ...ref, ...packing, paths: [...packing.paths] })
  const { job } = await until('job', ({ job: one }) => one.id === begun!.id && one.state === 'failed')
  expect(job.error?.message).toMatch(/^It isn’t known whether the host finished/)
})

test('a folder is copied over SFTP, with all in it', async () => {
  const { call, files, ref } = await signedIn()
  mkdirSync(path.join(files, 'plugins/Shop'), { recursive: true })
  writeFileSync(path.join(files, 'plugins/Shop/config.yml'), 'a: 1\n')
  const copy = async (to: string) =>
    (await call('files.copy', { ...ref, items: [{ from: 'plugins', to }], conflict: 'keep-both' })).results
  expect(await copy('more')).toMatchObject([{ outcome: 'done' }])
  expect(await copy('more')).toMatchObject([{ outcome: 'done', finalPath: 'more (2)' }])
  expect(readFileSync(path.join(files, 'more (2)/Shop/config.yml'), 'utf8')).toBe('a: 1\n')
  expect(await copy('plugins/Shop/more')).toMatchObject([{ error: { code: 'files.into-itself' } }])
})

test('files are copied at the host to the place that was asked for, and never over another one', async () => {
  const { call, files, ref, host } = await signedIn()
  await host.sftp.close()
  mkdirSync(path.join(files, 'plugins'))
  writeFileSync(path.join(files, 'a.txt'), 'a')
  writeFileSync(path.join(files, 'b.txt'), 'b')
  writeFileSync(path.join(files, 'plugins/b.txt'), 'other')
  const copy = async (conflict: 'refuse' | 'keep-both' | 'skip', ...items: [string, string][]) =>
    (await call('files.copy', { ...ref, items: items.map(([from, to]) => ({ from, to })), conflict })).results
  expect(
    await copy(
      'refuse',
      ['a.txt', 'plugins/a.txt'],
      ['b.txt', 'plugins/b.txt'],
      ['plugins', 'more'],
      ['no', 'x'],
    ),
  ).toMatchObject([
    { outcome: 'done' },
    { outcome: 'failed', error: { code: 'files.exists' } },
    { outcome: 'failed', error: { code: 'host.copy-file' } },
    { outcome: 'failed', error: { code: 'host.not-found' } },
  ])
  expect(await copy('skip', ['b.txt', 'plugins/b.txt'])).toMatchObject([{ outcome: 'skipped' }])
  expect(await copy('keep-both', ['a.txt', 'a.txt'])).toMatchObject([
    { outcome: 'done', finalPath: 'a (2).txt' },
  ])
  expect(readdirSync(files).sort()).toEqual(['a (2).txt', 'a.txt', 'b.txt', 'plugins'])
  expect(readdirSync(path.join(files, 'plugins')).sort()).toEqual(['a.txt', 'b.txt'])
  expect(readFileSync(path.join(files, 'plugins/a.txt'), 'utf8')).toBe('a')
  expect(readFileSync(path.join(files, 'plugins/b.txt'), 'utf8')).toBe('other')
})
