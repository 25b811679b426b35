package flow

import (
	"slices"
	"strings"
)

// Notice: by a name on the way down from the place the calls tell people something:
// a notification, a message to a user or to a chat.
func (w Witness) Notice() bool {
	for i, l := range w.Path[w.Depth():] {
		if i > 0 && slices.Contains(noticePackages(), lastElement(l.Func.Package)) {
			return true
		}
		names := []string{lastElement(l.Node.Text)}
		for _, a := range l.Node.Args {
			names = append(names, a.Type)
		}
		if slices.ContainsFunc(names, isNotice) {
			return true
		}
	}
	return false
}

// isNotice: SendImageNotification, NotificationMessage, NotifyUser, SlackEvent. Several
// notifications are what a loop or a queue is about.
func isNotice(name string) bool {
	l := strings.ToLower(name)
	if strings.HasSuffix(l, "notification") || strings.Contains(l, "notificationmessage") || strings.Contains(l, "notificationevent") {
		return true
	}
	return slices.ContainsFunc(noticeWords(), func(word string) bool { return strings.Contains(l, word) })
}

func noticeWords() []string {
	return []string{"notifytouser", "notifyuser", "notifyadmin", "chatrobot", "wechatrobot", "slack", "telegram", "discord", "webpush"}
}

// noticePackages are packages that do nothing but tell people.
func noticePackages() []string {
	return []string{"notification", "notifications"}
}

func lastElement(name string) string {
	return name[strings.LastIndexAny(name, "./")+1:]
}
