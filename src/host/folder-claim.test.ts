import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type ClaimTiming, otherHolder } from './folder-claim.ts'
import { temporary } from './temporary.fixture.ts'

const TIMING: ClaimTiming = { renewMs: 100, lostMs: 1500, staleMs: 3000, patienceMs: 4500 }
const HOLDER = path.join(import.meta.dirname, 'claim-holder.fixture.ts')

/** A program that claims the folder, as one on another computer would. */
function holderOf(folder: string) {
  const program = spawn(process.execPath, [HOLDER, folder, JSON.stringify(TIMING)])
  onTestFinished(() => void program.kill('SIGKILL'))
  const [said, waiting] = [[] as string[], new Set<() => void>()]
  createInterface({ input: program.stdout }).on('line', (line) => {
    said.push(line)
    for (const look of waiting) look()
  })
  let error = ''
  program.stderr.on('data', (chunk: Buffer) => (error += String(chunk)))
  const ended = once(program, 'close').then(([, signal]) => ({ signal: signal as string | null, error }))
  const says = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => said.some((line) => line.includes(text)) && resolve()
      waiting.add(look)
      look()
    })
  return {
    said,
    says,
    ended,
    kill: (signal: NodeJS.Signals) => program.kill(signal),
    leave: () => program.stdin.end(),
  }
}

const claimsIn = (folder: string) => readdirSync(path.join(folder, 'claims'))

test.skipIf(process.platform === 'win32')(
  'a program that was frozen loses the folder to another, and is killed as soon as it wakes',
  async () => {
    const folder = temporary()
    const first = holderOf(folder)
    await first.says('claimed')
    first.kill('SIGSTOP')
    const second = holderOf(folder)
    await second.says('claimed')
    expect(second.said).toEqual(['taken', 'claimed'])
    first.kill('SIGCONT')
    expect(await first.ended).toMatchObject({
      signal: 'SIGKILL',
      error: expect.stringContaining('taken over'),
    })
    expect(claimsIn(folder)).toEqual(['2'])
    second.leave()
    expect(await second.ended).toMatchObject({ signal: null })
  },
)

test('a program that renews its claim hears who asks for it and keeps it, and once released it is given at once', async () => {
  const folder = temporary()
  const first = holderOf(folder)
  await first.says('claimed')
  const second = holderOf(folder)
  await Promise.all([first.says('wanted'), second.says('is in use by')])
  await second.ended
  expect(second.said).not.toContain('claimed')
  const third = holderOf(folder)
  first.leave()
  await third.says('claimed')
  expect(third.said).toEqual(['claimed'])
  expect(await otherHolder(folder)).toBeNull()
})

test.skipIf(process.platform === 'win32')('of many that wait for a lost claim, one gets it', async () => {
  const folder = temporary()
  const lost = holderOf(folder)
  await lost.says('claimed')
  lost.kill('SIGKILL')
  const many = Array.from({ length: 6 }, () => holderOf(folder))
  await Promise.all(many.map((one) => Promise.race([one.says('claimed'), one.ended])))
  expect(many.filter(({ said }) => said.includes('claimed'))).toHaveLength(1)
  expect(claimsIn(folder).filter((name) => name !== 'wanted')).toEqual(['2'])
})

test.skipIf(process.platform === 'win32')(
  'a claim that can no longer be renewed ends its program',
  async () => {
    const folder = temporary()
    const holder = holderOf(folder)
    await holder.says('claimed')
    // Opening it for writing fails, as while a disk is away.
    const file = path.join(folder, 'claims', '1')
    rmSync(file)
    mkdirSync(file)
    expect(await holder.ended).toMatchObject({ signal: 'SIGKILL' })
  },
)
