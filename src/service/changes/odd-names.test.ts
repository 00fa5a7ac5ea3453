import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeNest } from '../files/safe-fs/deep-nest.fixture.ts'
import { bytePath, bytesBelow, makeRawTree } from '../files/odd-names.fixture.ts'
import { NEW, openPaper } from './server-changes.fixture.ts'

/** A server with names that are not valid UTF-8, at the top and below, and a nest that no path of the system leads to. */
async function openOddPaper() {
  const paper = await openPaper()
  makeRawTree(paper.at())
  makeRawTree(paper.at('plugins'))
  writeFileSync(bytePath(paper.at(), 'l\x82o.txt'), 'x')
  return paper
}

it.runIf(process.platform === 'linux')(
  'a change of software and the way back, a reset and the way back, and a copy keep names that are not valid UTF-8',
  async () => {
    const { ask, at, change, folder, id, reaches, said } = await openOddPaper()
    const before = bytesBelow(at())
    const without = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).filter(([name]) => !/^(?:server\.jar|logs)/.test(name)))
    await change({ id: 'paper', version: NEW })
    await reaches('offline')
    expect((await said()).at(-1)).toBe(`The software is Paper ${NEW} now.`)
    expect(without(bytesBelow(at()))).toEqual(without(before))
    expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
    expect(bytesBelow(at())).toEqual(before)

    const copy = (await ask(`POST /servers/duplicate/${id}`, { name: 'Copy' })).body
    const copied = bytesBelow(path.join(folder, 'servers', copy.id))
    expect({ ...copied, 'server.properties': '' }).toEqual({
      ...without(before),
      'server.jar': before['server.jar'],
      'server.properties': '',
    })

    expect((await ask(`POST /servers/reset/${id}`, { keep: [] })).status).toBe(202)
    await reaches('offline')
    expect(Object.keys(bytesBelow(at())).filter((name) => /[\x80-\xff]/.test(name))).toEqual([])
    expect((await ask(`POST /servers/software/undo/${id}`)).status).toBe(202)
    expect(bytesBelow(at())).toEqual(before)
  },
)

it.runIf(process.platform === 'linux')(
  'a nest that is deeper than a path can be stops no change, no copy and no reset, and goes with its server',
  async () => {
    const { ask, at, change, folder, id, reaches, said } = await openPaper()
    makeNest(at('plugins'), 600, 'long-name')
    await change({ id: 'paper', version: NEW })
    await reaches('offline')
    expect((await said()).at(-1)).toBe(`The software is Paper ${NEW} now.`)
    const copy = await ask(`POST /servers/duplicate/${id}`, { name: 'Copy' })
    expect(copy.status).toBe(201)
    expect((await ask(`POST /servers/reset/${id}`, { keep: [] })).status).toBe(202)
    await reaches('offline')
    expect((await ask(`DELETE /servers/${id}?confirm=Mine`)).status).toBe(204)
    expect((await ask(`DELETE /servers/${copy.body.id}?confirm=Copy`)).status).toBe(204)
    for (const kind of ['servers', 'removed', 'copies', 'staging', 'trash'])
      expect(await readdir(path.join(folder, kind)), kind).toEqual([])
  },
)
