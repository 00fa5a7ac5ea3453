import { beforeEach, describe, expect, it } from 'vitest'
import { Deletions } from './deletions.svelte.ts'
import { FilesMain, noTrash, server } from '../files-main.fixture.ts'

let main: FilesMain
beforeEach(() => {
  main = new FilesMain()
  main.hasTrash = false
  window.panel = main
})

const paths = Array.from({ length: 2500 }, (_, n) => `world/${n}.dat`)
const done = (some: readonly string[]) => some.map((path) => ({ path, outcome: 'done' as const }))

describe('the question before a deletion for good', () => {
  it('is asked once about all of it, and everything is deleted', async () => {
    main.answer('files.remove', ({ paths: some, permanent }) =>
      permanent ? { ok: true, value: { results: done(some), trash: [] } } : { ok: false, problem: noTrash },
    )
    const deletions = new Deletions(server)
    const removed = deletions.remove(paths)
    await expect.poll(() => deletions.question?.paths).toEqual(paths)
    deletions.question?.answer(true)
    expect((await removed).results).toHaveLength(2500)
    const permanent = true
    expect(main.inputs('files.remove')).toMatchObject([
      { permanent: false },
      { permanent },
      { permanent },
      { permanent },
    ])
  })

  it('comes where the trash has gone since, and what was deleted before is not asked about', async () => {
    const entry = { id: 't', path: 'world/0.dat', kind: 'file' } as const
    for (const agrees of [false, true]) {
      main.answer('files.remove', ({ paths: some, permanent }) =>
        permanent || some[0] === paths[0]
          ? { ok: true, value: { results: done(some), trash: [entry] } }
          : { ok: false, problem: noTrash },
      )
      const deletions = new Deletions(server)
      const removed = deletions.remove(paths)
      await expect.poll(() => deletions.question?.paths).toEqual(paths.slice(1000))
      deletions.question?.answer(agrees)
      expect((await removed).results).toHaveLength(agrees ? 2500 : 1000)
      expect((await removed).trash.get('t')).toBe('world/0.dat')
    }
  })
})
