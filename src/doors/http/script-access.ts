/**
 * Scripts of every origin that a client registered may call every address, with the methods that it has. A door
 * declares where that is otherwise; the first declaration that fits a path decides.
 */
export interface ScriptAccess {
  readonly paths: RegExp
  readonly openTo: 'nobody' | 'the origins of the asking client' | 'every registered origin'
  /** How a script that asks first is answered: 204, unless its clients know another status. */
  readonly preflight?: 200
}

export const usualScriptAccess: ScriptAccess = { paths: /^/, openTo: 'every registered origin' }
