/** Whether a key is part of an input-method composition; some browsers report the last one by this key code. */
export const isImeKey = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
