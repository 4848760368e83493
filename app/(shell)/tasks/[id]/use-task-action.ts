import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/lib/api-client/queries';
import type { TaskDetail } from '@/lib/contract/api';
import { useToast } from '../../../_ui/toast';

/** Runs an action on the task, puts the answer on screen and says what became of it. */
export function useTaskAction<T>(id: string, act: (input: T) => Promise<TaskDetail>, done: string) {
  const client = useQueryClient();
  const say = useToast();
  return useMutation({
    mutationFn: act,
    onSuccess: (task) => {
      client.setQueryData(keys.task(id), task);
      say({ tone: 'done', title: done });
      return client.invalidateQueries({ queryKey: keys.tasks });
    },
    onError: (error) => say({ tone: 'problem', title: 'Nothing was changed', detail: error.message }),
  });
}
