/** For an input in which Enter does something of its own, and does not send the form. */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  }
