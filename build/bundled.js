// @ts-check
import http from 'node:http'

/**
 * Dependencies that are part of main's bundle: every start needs them, and to find and load their many files takes longer
 * than to run them.
 */
export const bundled = [
  '@hono/node-server',
  '@hono/zod-openapi',
  'commander',
  'eventsource-parser',
  'hono',
  'pino',
  'undici',
  'zod',
]

/** What `node:http` only passes on from the fetch that Node brings. */
const ofFetch = ['WebSocket', 'CloseEvent', 'MessageEvent']

/**
 * A plugin of the bundler: `node:http` without three names. To import it makes Node read every one of its names, and these
 * three load the whole fetch that Node brings: more than all that Node itself loads at a start, and used by none of our
 * programs. To require it reads none of them, so what is required stays as it is.
 * @returns {import('vite').Plugin}
 */
export function httpWithoutFetch() {
  const name = 'virtual:http-without-fetch'
  const id = `\0${name}`
  const names = Object.keys(http).filter((name) => !ofFetch.includes(name))
  return {
    name,
    enforce: 'pre',
    // What Node brings is left to Node before a plugin is asked where it lies, so the imports are given another name.
    transform: {
      filter: { code: /\bfrom\s*["'](node:)?http["']/ },
      handler: (code) => ({
        code: code.replace(/(\bfrom\s*)(["'])(?:node:)?http\2/g, `$1$2${name}$2`),
        map: null,
      }),
    },
    resolveId: { filter: { id: new RegExp(`^${name}$`) }, handler: () => id },
    load: {
      filter: { id: new RegExp(`^${id}$`) },
      handler: () =>
        `const http = process.getBuiltinModule('node:http')\nexport const { ${names.join(', ')} } = http\nexport default http\n`,
    },
  }
}
