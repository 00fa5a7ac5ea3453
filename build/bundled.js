// @ts-check

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
