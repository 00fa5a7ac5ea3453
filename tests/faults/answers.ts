import type { ProblemCode } from '../../src/contract/bridge/problem.ts'
import { type Case } from './case.ts'
import { Front, misanswers, type Mischief } from './front.ts'
import { Host } from './host.ts'
import { Panel } from './panel.ts'
import { makeOne, makeTree } from './tree.ts'
import { Watch } from './watch.ts'

const MB = 1024 * 1024

/** What each wrong answer may be told as. */
const told: Record<keyof typeof misanswers, readonly ProblemCode[]> = {
  '413': ['too-large'],
  '429': ['rate-limited'],
  '500': ['service-failed'],
  'garbage in the body': ['incompatible', 'unconfirmed'],
  'garbage on the line': ['incompatible', 'unconfirmed', 'service-failed', 'offline'],
  'nothing, and the end': ['offline'],
  'nothing, and silence': ['offline'],
}
/** What else may be told after an answer was lost: the service is asked how it stands. */
const afterwards: readonly ProblemCode[] = ['rate-limited', 'offline']

/** Something between panel and service answers 413, 429, 500, garbage, or nothing. */
export async function answers(it: Case): Promise<void> {
  const { stage, chance, long } = it
  const host = await Host.start(stage)
  const front = await Front.open(host)
  stage.atEnd(() => front.close())
  const panel = await Panel.start(stage)
  await panel.signIn(front.port)
  for (const name of Object.keys(misanswers) as (keyof typeof misanswers)[]) {
    // A large file that goes in pieces, and small ones that go together.
    const tree = await makeTree(stage.at(name), 40, chance)
    const large = await makeOne(stage.at(name), 'tree/large.dat', 9 * MB, chance)
    for (const [path, expected] of large.files) tree.files.set(path, expected)
    const folder = `arrived/${name}`
    const watch = new Watch(`${host.folder}/${name}`, tree)
    const silent = name === 'nothing, and silence'
    const times = silent ? (long ? 3 : 1) : long ? 12 : 4
    for (let at = 0; at < times; at++) {
      const when = silent && !long ? 'before' : chance.pick(['before', 'after'] as const)
      front.waiting.push({ answer: misanswers[name], when } satisfies Mischief)
    }
    const said = panel.problems.length
    const { transferId } = await panel.upload(tree, host.serverId, folder)
    // What failed is tried again as a person would, as long as wrong answers come.
    for (let tries = 0; tries <= times + 1; tries++) {
      const ended = await panel.untilEnded(transferId)
      if (ended.filesFailed === 0) break
      for (const { problem } of await panel.failures(transferId)) {
        it.expectSaid(problem, [...told[name], ...afterwards])
        if (problem) panel.problems.push(problem)
      }
      await panel.call('transfers.retry', { transferId })
      await panel.until(transferId, 'going on', (now) => !now.endedAt || now.filesFailed === 0)
    }
    const ended = await panel.untilEnded(transferId)
    it.tried += times - front.waiting.length
    it.expect(front.waiting.length === 0, `${front.waiting.length} wrong answers (${name}) found no request.`)
    front.waiting.length = 0
    it.expectDone(ended)
    const problems = panel.problems.slice(said)
    for (const problem of problems) it.expectSaid(problem, [...told[name], ...afterwards])
    it.expect(
      problems.some(({ code }) => told[name].includes(code)),
      `Nobody was told of ${name}.`,
    )
    it.take(await watch.end())
  }
}
