/** Whether Next serves for development, with reload; never in a build. */
export const isDevelopment = process.env.NODE_ENV === 'development';
