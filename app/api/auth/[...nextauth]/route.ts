import { answerAuth } from '@/lib/http/auth-route';

export { answerAuth as GET, answerAuth as POST };
