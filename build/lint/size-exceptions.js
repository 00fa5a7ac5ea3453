// @ts-check
/**
 * What is larger than files and functions may be, with the lines each has: this list must only shrink. Nothing is added to
 * it and no number is raised; what is within the bounds again is taken out, and the linter says so.
 * @type {Record<string, { file?: number, function?: number }>}
 */
export const exceptions = {
  'src/main/accounts/connections.test.ts': { file: 606 },
  'src/main/api/client.test.ts': { file: 558 },
  'src/renderer/features/editor/editor.svelte.test.ts': { file: 414 },
  'src/renderer/features/files/files.svelte.test.ts': { file: 525 },
  'src/renderer/features/transfers/transfers.svelte.test.ts': { file: 450 },
  'src/service/accounts/accounts.ts': { function: 232 },
  'src/service/accounts/codes.ts': { function: 103 },
  'src/service/files/outside.test.ts': { file: 371 },
  'src/service/routes/files.ts': { function: 139 },
  'src/service/runtime/managed-server.ts': { file: 393 },
  'src/service/runtime/runtime.ts': { function: 102 },
  'src/service/service.ts': { function: 98 },
  'src/service/software/demo/commands.ts': { function: 207 },
  'src/service/uploads/mount.ts': { function: 110 },
  'src/service/uploads/multipart.ts': { function: 84 },
  'src/service/uploads/tus.ts': { function: 87 },
  'src/service/uploads/upload-store.ts': { function: 181 },
  'src/service/uploads/uploads.test.ts': { file: 424 },
  'tests/bench/console.ts': { function: 96 },
  'tests/e2e/accessibility-editor.spec.ts': { function: 96 },
  'tests/e2e/accessibility-files.spec.ts': { function: 135 },
  'tests/e2e/files-keyboard.spec.ts': { function: 113 },
  'tests/e2e/files.spec.ts': { function: 103 },
  'tests/e2e/notices.spec.ts': { function: 111 },
}
