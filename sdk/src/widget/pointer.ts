/** Whether the device has a touch screen, and so an on-screen keyboard that covers a part of the page. */
export const isTouch = () => matchMedia("(pointer:coarse)").matches
