import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testChromium } from './build/scripts/chromium.js'
import { texts } from './build/vite/texts.ts'
import { ownRunFolder } from './build/scripts/run-folder.js'

// The runner may be killed while whoever started it goes on.
ownRunFolder()

/** Tests that start the built service as a program. */
const ofProgram = globSync('src/service/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /\bserviceProgram\b/.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
)

/** What takes long though its file is short: begun last, it would go on alone at the end. */
const slow =
  /(mutated-answers|queue\/faults|web\/uploads|send\/copies|page-files|second-service|kept-files|files\/calls|crowd|archive-bounds|demo|followed-jobs)\.test\.ts$/

/**
 * Tests that change nothing of their own process and start no program end what they begin: they share processes, which
 * would otherwise load the contract, and what is tested, once for each file. The slow would win nothing by it.
 */
const ownProcess =
  /\bvi\b|\bprocess\.(?!execPath|platform|pid)|\bglobalThis\b|'node:(child_process|worker_threads|cluster|v8|vm)'/
const shared = globSync('{src,build,tests}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: (file) => /\.(svelte|engine|swarm)\.test\.ts$/.test(file),
}).filter(
  (file) => !slow.test(file) && !ownProcess.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
)

/** In a new clone nobody knows yet how long files take, and vitest begins with the longest texts. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/** Tests with a real Docker Engine, in namespaces of their own: `build/scripts/engines.js` runs them. */
const withEngine = 'src/service/**/*.engine.test.ts'

/** Three of them, in the same way. */
const withSwarm = 'src/service/**/*.swarm.test.ts'

/** Tests of services whose servers are started: they pass as well where each runs in a container. */
const inContainers = globSync('src/service/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) => {
  const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
  const starts = /\b(power|reaches|starts?|until)\(|\/power\/|'online'/.test(text)
  const fixture = /(service|access|backups|extensions|files|imports|packs|players|server-changes)\.fixture/
  const isTested = starts && fixture.test(text) && !/\.(engine|swarm)\.test\.ts$/.test(file)
  return isTested && !ofProgram.includes(file)
})

/** Tests of components and of what is drawn: in a real browser. */
const inBrowser = 'src/renderer/**/*.svelte.test.ts'

export default defineConfig({
  test: {
    // Many tests wait half their time, for a disk or a program: two cores serve five workers.
    maxWorkers: 5,
    // On a slow or busy machine a program takes many times as long to start. What hangs is told by these, nothing else is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SlowFirst },
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['tests/unit/warnings.setup.ts'],
          include: ['src/**/*.test.ts', 'build/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [inBrowser, withEngine, withSwarm, ...shared, ...ofProgram],
        },
      },
      {
        test: {
          name: 'engines',
          environment: 'node',
          include: [withEngine],
          // Each sets up the networks of the namespace that all are in.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'swarm',
          environment: 'node',
          include: [withSwarm],
          fileParallelism: false,
          // A controller that runs as a service of the swarm is the built one.
          globalSetup: 'build/scripts/built-before-tests.js',
        },
      },
      {
        test: {
          name: 'containers',
          environment: 'node',
          setupFiles: ['tests/unit/warnings.setup.ts'],
          include: inContainers,
          globalSetup: 'tests/fixtures/engine-of-run.ts',
        },
      },
      {
        test: {
          name: 'shared',
          environment: 'node',
          setupFiles: ['tests/unit/warnings.setup.ts'],
          include: shared,
          isolate: false,
        },
      },
      {
        test: {
          name: 'built',
          environment: 'node',
          setupFiles: ['tests/unit/warnings.setup.ts'],
          include: ofProgram,
          globalSetup: 'build/scripts/built-before-tests.js',
        },
      },
      {
        root: 'src/renderer',
        cacheDir: path.join(import.meta.dirname, 'node_modules/.vite'),
        plugins: [texts(`${import.meta.dirname}/src/renderer`), tailwindcss(), svelte()],
        // All that any test loads is prepared before the first: found in the middle of a run, it would reload the page.
        optimizeDeps: {
          entries: ['main.ts', '**/*.svelte.test.ts'],
          include: ['vitest-browser-svelte'],
          // Anew each time: what a change has begun to load is not in what was prepared before.
          force: true,
        },
        test: {
          name: 'browser',
          setupFiles: ['app/svelte-warnings.setup.ts'],
          include: ['**/*.svelte.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: testChromium() }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
})
