/** Every quantity type, under the name that clients know it by. A new one is its file and one line here. */
export { material } from './material.ts'
export { standard } from './standard.ts'
export { test } from './test.ts'
