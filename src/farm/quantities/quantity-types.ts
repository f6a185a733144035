/** Every quantity type under its wire name. A new one is its file and one line here. */
export { material } from './material.ts'
export { standard } from './standard.ts'
export { test } from './test.ts'
