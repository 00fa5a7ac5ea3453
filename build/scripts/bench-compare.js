// @ts-check
// Judges a change in one run: benches of this tree against the programs of another commit and of this one, in turn.
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Plain, at, environment, node24, run, runNode, say } from './project.js'

/** @typedef {{ name: string, value: number, unit: string }} Figure */

/**
 * Runs the benches on the programs of another commit and on those of this tree, in turn, and prints each figure's ratio.
 * @param {string} ref a commit, a branch or a tag
 * @param {readonly string[]} benches
 * @param {number} rounds how often each is measured
 * @returns {Promise<number>} 1 where a figure got worse in every round, or something was lost; else 0
 */
export async function compareWith(ref, benches, rounds) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'other-'))
  const other = path.join(folder, 'tree')
  try {
    await buildOther(ref, other)
    /** @type {{ then: Figure[], now: Figure[] }[]} */
    const measured = []
    for (let round = 1; round <= rounds; round++) {
      say(`Round ${round} of ${rounds}: ${ref}`)
      const before = await measure(benches, path.join(other, 'out'))
      say(`Round ${round} of ${rounds}: this tree`)
      measured.push({ then: before, now: await measure(benches, at('out')) })
    }
    const { table, worse } = compared(measured)
    process.stdout.write(`\n${table}\n`)
    return worse ? 1 : 0
  } finally {
    await run('git', ['worktree', 'remove', '--force', other], { quiet: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {string} ref @param {string} folder */
async function buildOther(ref, folder) {
  const added = await run('git', ['worktree', 'add', '--detach', folder, ref], { quiet: true })
  if (added.code !== 0) throw new Plain(`${ref} could not be checked out:\n${added.output}`)
  const same = async (/** @type {string} */ name) =>
    (await readFile(at(name), 'utf8')) === (await readFile(path.join(folder, name), 'utf8'))
  if (await same('package-lock.json'))
    await symlink(at('node_modules'), path.join(folder, 'node_modules'), 'junction')
  else {
    say(`${ref} has other dependencies, so they are installed`)
    const installed = await run('npm', ['ci'], {
      cwd: folder,
      quiet: true,
      shell: process.platform === 'win32',
    })
    if (installed.code !== 0)
      throw new Plain(`The dependencies of ${ref} could not be installed:\n${installed.output}`)
  }
  const vite = path.join(folder, 'node_modules/electron-vite/bin/electron-vite.js')
  const built = await run(node24(), [vite, 'build'], { cwd: folder, quiet: true })
  if (built.code !== 0) throw new Plain(`${ref} could not be built:\n${built.output}`)
}

/**
 * Figures of the benches, measured on built programs.
 * @param {readonly string[]} benches @param {string} out @returns {Promise<Figure[]>}
 */
async function measure(benches, out) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'figures-'))
  const env = { ...environment(), WHEELHOUSE_OUT: out, WHEELHOUSE_FIGURES: folder }
  // Targets that are missed are told by the run, and are no reason to stop: what counts here is the change.
  await runNode('tests/bench/main.ts', [...benches], { env })
  const file = path.join(folder, `${benches.join('-')}.json`)
  /** @type {{ outcomes: { bench: string, figures: Figure[], lost: number }[] }} */
  const { outcomes } = JSON.parse(
    await readFile(file, 'utf8').catch(() => {
      throw new Plain('A bench ended before it had its figures.')
    }),
  )
  const lost = outcomes.find((outcome) => outcome.lost > 0)
  if (lost) throw new Plain(`${lost.lost} were lost in ${lost.bench}: that is no figure to compare.`)
  return outcomes.flatMap(({ figures }) => figures)
}

/**
 * A figure has become worse or better where every round says so and the middle one by more than 5 %.
 * @param {readonly { then: readonly Figure[], now: readonly Figure[] }[]} rounds
 * @returns {{ table: string, worse: boolean }}
 */
export function compared(rounds) {
  const names = [...new Set(rounds.flatMap(({ now }) => now.map(({ name }) => name)))]
  let worse = false
  const rows = names.map((name) => {
    const pairs = rounds.map(({ then, now }) => ({
      then: then.find((figure) => figure.name === name),
      now: now.find((figure) => figure.name === name),
    }))
    if (pairs.some(({ then, now }) => !then || !now)) return [name, '', '', '', 'not in both']
    const thens = pairs.map(({ then }) => then?.value ?? NaN).sort((a, b) => a - b)
    const nows = pairs.map(({ now }) => now?.value ?? NaN).sort((a, b) => a - b)
    const ratios = pairs.map(({ then, now }) => ratio(now?.value ?? NaN, then?.value ?? NaN))
    ratios.sort((a, b) => a - b)
    const unit = pairs[0]?.now?.unit ?? ''
    const isWorse = (ratios[0] ?? 1) > 1 && middle(ratios) > 1.05
    const isBetter = (ratios.at(-1) ?? 1) < 1 && middle(ratios) < 0.95
    worse ||= isWorse
    return [
      name,
      `${middle(thens).toFixed(2)} ${unit}`,
      `${middle(nows).toFixed(2)} ${unit}`,
      `${middle(ratios).toFixed(2)}× (${ratios[0]?.toFixed(2)}–${ratios.at(-1)?.toFixed(2)})`,
      isWorse ? 'WORSE' : isBetter ? 'better' : 'same',
    ]
  })
  const all = [['figure', 'then', 'now', 'now ÷ then', ''], ...rows]
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  const table = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return { table: table.join('\n'), worse }
}

/** Nothing that stays nothing has not changed. @param {number} now @param {number} then */
const ratio = (now, then) => (now === then ? 1 : now / then)

/** @param {readonly number[]} sorted */
const middle = (sorted) => {
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? NaN) + (sorted[Math.ceil(at)] ?? NaN)) / 2
}
