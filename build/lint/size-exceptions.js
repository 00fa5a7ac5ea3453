// @ts-check
/**
 * What is larger than files and functions may be, with the lines each has: this list must only shrink. Nothing is added to
 * it and no number is raised; what is within the bounds again is taken out, and the linter says so.
 * @type {Record<string, { file?: number, function?: number }>}
 */
export const exceptions = {
  'src/renderer/features/files/files.svelte.test.ts': { file: 525 },
  'src/renderer/features/transfers/transfers.svelte.test.ts': { file: 450 },
}
