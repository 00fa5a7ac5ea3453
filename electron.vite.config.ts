import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'electron-vite'
import { texts } from './build/vite/texts.ts'

const here = (file: string): string => path.join(import.meta.dirname, file)

/** Programs and workers that run in Node or in Electron's main process: name in out/main → source. */
const programs = {
  /** Electron's entry. */
  index: 'src/main/index.ts',
  /** Tries what only Electron has; for development. */
  'check-electron': 'tests/electron/main.ts',
  /** The browser's way in. */
  web: 'src/web/main.ts',
  service: 'src/service/cli/main.ts',
  'keychain-child': 'src/main/accounts/keychain/child.ts',
  databases: 'src/main/panel/database-worker.ts',
  'transfer-bytes': 'src/main/transfers/bytes/worker.ts',
  answers: 'src/main/api/body/worker.ts',
  'claim-worker': 'src/host/claim-worker.ts',
  'hash-worker': 'src/service/files/uploads/hash-worker.ts',
  'search-worker': 'src/service/files/search-worker.ts',
  'jar-worker': 'src/service/extensions/jars/jar-worker.ts',
  'demo-launcher': 'src/service/software/demo/launcher.ts',
}

const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as { version: string }

const inputs = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files)
      .map(([name, file]) => [name, here(file)] as const)
      .filter(([, file]) => existsSync(file)),
  )

export default defineConfig({
  main: {
    define: { __VERSION__: JSON.stringify(version) },
    build: {
      externalizeDeps: {
        // These stay out of the bundle though they are no plain dependencies: keytar is native and optional, the others
        // are for development only.
        include: ['keytar', 'flying-squid', 'mineflayer'],
      },
      sourcemap: true,
      rolldownOptions: {
        input: inputs(programs),
        output: {
          entryFileNames: '[name].js',
          // Beside the entries, so that `new URL('./service.js', import.meta.url)` means the same in an entry and in a chunk.
          chunkFileNames: 'shared-[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can load nothing but this one CommonJS file.
      externalizeDeps: false,
      rolldownOptions: {
        input: inputs({ index: 'src/preload/index.ts' }),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: here('src/renderer'),
    plugins: [texts(here('src/renderer')), tailwindcss(), svelte()],
    build: {
      // The browser's way in is not only Electron's Chromium.
      target: 'es2023',
      minify: true,
      // The content security policy allows no font and no script from a `data:` address.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: inputs({ index: 'src/renderer/index.html', browser: 'src/renderer/browser.html' }),
        output: {
          // Short: the first screen holds the names of all parts.
          chunkFileNames: 'assets/[name]-[hash:7].js',
          hashCharacters: 'hex',
          codeSplitting: {
            groups: [
              // Its own chunk: `window.panel` has to be set before the renderer's modules run.
              { name: 'web-client', test: /[\\/]src[\\/]web[\\/]client[\\/]/, priority: 2 },
              // The first screen with all it imports is one file: sixteen small ones cost a third of a cold load.
              { name: 'first-screen', test: /[\\/]src[\\/]renderer[\\/]main\.ts$/, priority: 1 },
              // Icons of other views: one small file for all, and one name in the list of files that the first screen holds.
              { name: 'icons', test: /[\\/]@lucide[\\/]svelte[\\/]/, priority: 0 },
              // For the same reason what nearly every form and dialog is made of.
              {
                name: 'forms',
                test: /[\\/]ui[\\/](form[\\/](Field|TextInput|Select|FormDialog|form\.svelte)|dialog[\\/](Dialog|modal))\./,
                priority: 0,
              },
            ],
          },
        },
      },
    },
    server: { fs: { allow: [here('.')] } },
  },
})
