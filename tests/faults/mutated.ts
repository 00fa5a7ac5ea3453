import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { at } from '../../build/scripts/project.js'
import type { Case } from './case.ts'

/** Figures that the tests print, such as `260 visits of 13 views, …`. */
const FIGURES = /^(\d+) (?:visits|consoles|events|writes)\b/
/** What a runner says of a test or a file that ended. */
const RESULT = /^\s*(?:[✓✘×❯]|ok|x)\s/u
/** Lines of a run that went wrong that are told. */
const TOLD = 60

/** What is run, and by which runner. */
const runs = {
  'client and stream': [
    'node_modules/vitest/vitest.mjs',
    ...['run', '--project', 'node', '--reporter=default'],
    'src/main/api/mutated-answers.test.ts',
    'src/main/console/mutated-events.test.ts',
    'src/main/panel/second-service.test.ts',
  ],
  'views in the browser': [
    'node_modules/@playwright/test/cli.js',
    ...['test', '--reporter=list', 'mutated-views', 'mutated-console', 'mutated-writes'],
  ],
}

/** Services that drifted or are broken, and every variant of the second service, against client, cache and views. */
export async function mutated(it: Case): Promise<void> {
  const seed = it.chance.between(0, 2 ** 31 - 1)
  const more = {
    FC_SEED: `${seed}`,
    MUTATED_VISITS: it.long ? '100' : '20',
    MUTATED_ANSWERS: it.long ? '2000' : '500',
  }
  const asked = Object.entries(more).map(([name, value]) => `${name}=${value}`)
  it.note(asked.join(' '))
  for (const [what, [script = '', ...args]] of Object.entries(runs)) {
    const { code, said } = await run(script, args, { ...process.env, ...more })
    for (const line of said) {
      const figures = FIGURES.exec(line)
      if (!figures) continue
      it.tried += Number(figures[1])
      it.note(line)
    }
    if (code !== 0)
      it.wrong.push(`The tests of ${what} failed (${asked.join(' ')}):\n${said.slice(-TOLD).join('\n')}`)
  }
}

async function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const program = spawn(process.execPath, [...process.execArgv, at(script), ...args], {
    env,
    cwd: at('.'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const code = new Promise<number | null>((resolve, reject) =>
    program.once('exit', resolve).once('error', reject),
  )
  const said: string[] = []
  for await (const line of createInterface({ input: program.stdout })) {
    said.push(line)
    // A run may be stopped before its end: what it has found by then is told.
    if (FIGURES.test(line) || RESULT.test(line)) process.stdout.write(`${line}\n`)
  }
  return { code: await code, said }
}
