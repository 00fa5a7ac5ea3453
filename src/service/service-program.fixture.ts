import { at } from '../../build/scripts/project.js'

/** The built service. Tests that use it are in the vitest project `built`, which keeps it up to date. */
export const serviceProgram = at('out/main/service.js')
