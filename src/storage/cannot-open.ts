/** The database or its directory cannot be used as it is. The message is for the operator, who can do something about it. */
export class CannotOpen extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotOpen'
  }
}
