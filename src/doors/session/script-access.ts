import type { ScriptAccess } from '../http/script-access.ts'

/** Pages are for people. */
export const sessionScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/(?:$|(?:user\/(?:login|logout)|account|setup)(?:\/|$))/, openTo: 'nobody' },
]
