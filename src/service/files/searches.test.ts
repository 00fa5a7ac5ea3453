import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestFiles, startFileService } from './files.fixture.ts'
import { Searches } from './searches.ts'

const wish = { path: '', name: '', text: 'needle', limit: 10 }
const never = new AbortController().signal

async function world() {
  const { files, root } = await openTestFiles()
  const searches = new Searches()
  onTestFinished(() => searches.close())
  await mkdir(path.join(root, 'logs'))
  const hay = `${'hay '.repeat(500)}\n`
  await writeFile(path.join(root, 'logs', 'a.log'), `${hay.repeat(2000)}the Needle\n${hay}`)
  return { files, root, searches }
}

test('a search finds the line far down in a file, with its number', async () => {
  const { files, searches } = await world()
  expect(await searches.run(files, wish, never)).toMatchObject([
    { path: 'logs/a.log', line: 2001, text: 'the Needle' },
  ])
})

test('a search that takes longer than is waited for ends, and says so instead of passing for all there is', async () => {
  const { files, searches } = await world()
  await expect(searches.run(files, { ...wish, text: 'not found' }, never, 0)).rejects.toMatchObject({
    status: 422,
    code: 'files.search-too-long',
  })
})

test('a search nobody waits for any more ends, and the next one is answered', async () => {
  const { files, root, searches } = await world()
  for (let at = 0; at < 40; at++) await writeFile(path.join(root, `${at}.txt`), 'x\n'.repeat(1_000_000))
  const gone = new AbortController()
  const left = searches.run(files, { ...wish, text: 'not found' }, gone.signal)
  gone.abort()
  expect(await left).toEqual([])
  expect(await searches.run(files, { ...wish, path: 'logs' }, never)).toHaveLength(1)
})

test('what the path leads to is judged in the thread as it is outside of it', async () => {
  const { files, searches } = await world()
  await expect(searches.run(files, { ...wish, path: '../outside' }, never)).rejects.toMatchObject({
    status: 422,
    code: 'files.outside',
  })
})

test('when the thread is ended, who waits is told, and the next search starts another', async () => {
  const { files, searches } = await world()
  const told = expect(searches.run(files, wish, never)).rejects.toMatchObject({
    status: 503,
    code: 'files.search-ended',
  })
  await searches.close()
  await told
  expect(await searches.run(files, wish, never)).toHaveLength(1)
})

test('many searches of one account are all answered, one after the other', async () => {
  const it = await startFileService()
  await writeFile(path.join(it.root, 'a.txt'), 'a needle\n')
  const answers = await Promise.all(Array.from({ length: 30 }, () => it.ask('GET search text=needle')))
  for (const { status, body } of answers) expect([status, body.items.length]).toEqual([200, 1])
})
